import type { ReactNode } from 'react';
import { useTexts } from '../../../../../texts/texts.tsx';
import { Badge } from '../../../../../ui/badge.tsx';
import type { Mark } from '../../check.ts';
import { useMarkWords } from './mark-words.ts';

interface Props {
  marks: readonly Mark[];
  /** What is beside a mark. */
  aside?(mark: Mark): ReactNode;
}

/** What is wrong in a card, and what to do about it. */
export function Marks({ marks, aside }: Props) {
  const { steps: t, editor } = useTexts();
  const wordsOf = useMarkWords();
  if (marks.length === 0) return null;
  return (
    <ul aria-label={t.toFix} className="space-y-1 border-b border-line px-3 py-2">
      {marks.map((mark, at) => (
        <li key={at} tabIndex={-1} className="flex flex-wrap items-start gap-2">
          <Badge tone={mark.severity === 'error' ? 'bad' : 'warn'}>{editor.severities[mark.severity]}</Badge>
          <span className="min-w-0 flex-1 basis-40 break-words">{wordsOf(mark)}</span>
          {aside?.(mark)}
        </li>
      ))}
    </ul>
  );
}
