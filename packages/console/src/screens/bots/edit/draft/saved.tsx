import { useTexts } from '../../../../texts/texts.tsx';
import { useProblem } from '../../../../ui/problem.tsx';
import type { Saving } from './saving.ts';

/** Says whether the text of the editor is saved as the draft. */
export function Saved({ saving }: { saving: Saving }) {
  const { editor: t } = useTexts();
  const words = useProblem();
  const isWrong = ['failed', 'conflict', 'unreadable', 'gone'].includes(saving.kind);
  return (
    <span role="status" className={isWrong ? 'text-warn' : 'text-quiet'}>
      {saving.kind !== 'none' && t.saving[saving.kind]}
      {saving.kind === 'failed' && ` ${words(saving.error)}`}
    </span>
  );
}
