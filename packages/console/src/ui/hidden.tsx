import { Fragment } from 'react';
import { useWorkspace } from '../data/workspace.tsx';
import { useTexts } from '../texts/texts.tsx';
import { hiddenMark } from './hidden-text.ts';

/** Says once on a screen why personal data is hidden on it. Nothing for people who see it. */
export function HiddenNote() {
  const { common } = useTexts();
  const { can } = useWorkspace();
  return can('personal-data:read') ? null : <p className="mb-4 text-quiet">{common.hiddenWhy}</p>;
}

/** Shows a text that may be personal data, or another one that the API hides. `why` names the missing scope. */
export function Personal({ text, why }: { text: string; why?: string | undefined }) {
  return text.split(hiddenMark).map((part, index) => (
    <Fragment key={index}>
      {index > 0 && <Mark why={why} />}
      {part}
    </Fragment>
  ));
}

function Mark({ why }: { why: string | undefined }) {
  const { common } = useTexts();
  return (
    <span className="rounded bg-raised px-1.5 text-quiet italic" title={why ?? common.hiddenWhy}>
      {common.hidden}
    </span>
  );
}
