import { useTexts } from '../../../../texts/texts.tsx';
import { useProblem } from '../../../../ui/problem.tsx';
import type { Saving } from './saver.ts';

/** Says whether the text of the editor is saved as the draft. */
export function Saved({ saving }: { saving: Saving }) {
  const { editor: t } = useTexts();
  const words = useProblem();
  const isWrong = saving.kind === 'failed' || saving.kind === 'conflict' || saving.kind === 'unreadable';
  return (
    <span role="status" className={isWrong ? 'text-warn' : 'text-quiet'}>
      {saving.kind !== 'none' && t.saving[saving.kind]}
      {saving.kind === 'failed' && ` ${words(saving.error)}`}
    </span>
  );
}
