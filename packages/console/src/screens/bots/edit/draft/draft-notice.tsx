import { useState } from 'react';
import { useTexts } from '../../../../texts/texts.tsx';
import { ConfirmButton } from '../../../../ui/forms/window-button.tsx';
import { Time } from '../../../../ui/time.tsx';
import { useNameOf } from '../../../../data/people.ts';
import { type BotDraft, otherWriter } from './draft.ts';

/** Says that the editor has a text from before. */
export function DraftNotice({ draft }: { draft: BotDraft }) {
  const { editor: t } = useTexts();
  const { at, opened } = draft;
  const [other] = useState(() => otherWriter(draft));
  const nameOf = useNameOf();
  return (
    <p role="status" className="card border-accent px-4 py-2.5">
      {t.draft(opened, other === undefined ? undefined : nameOf(other))} <Time at={new Date(at)} />
    </p>
  );
}

/** Forgets the text of the editor and the draft, after a question. */
export function DiscardButton({ isChanged, discard }: { isChanged: boolean; discard(): Promise<void> }) {
  const { editor: t } = useTexts();
  return (
    <ConfirmButton
      isSmall
      reason={isChanged ? undefined : t.unchanged}
      confirm={{ title: t.discardTitle, about: t.discardAbout, action: t.discard, run: discard }}
    >
      {t.discard}
    </ConfirmButton>
  );
}
