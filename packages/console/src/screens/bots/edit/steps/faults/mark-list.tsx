import { useMemo } from 'react';
import { useTexts } from '../../../../../texts/texts.tsx';
import { Badge } from '../../../../../ui/badge.tsx';
import type { Mark } from '../../check.ts';
import { stepLabel } from '../fields/outline.ts';
import { localeOf, readSteps } from '../fields/step-list.ts';
import { stepOf } from './advice.ts';
import { useMarkWords } from './mark-words.ts';

interface Props {
  label: string;
  className: string;
  /** The text of the definition, which names the steps. */
  text: string;
  marks: readonly Mark[];
  goTo(mark: Mark): void;
}

const shownMax = 20;

/** What is wrong in all of a definition, and what to do about it, each with its step and a way to its place. */
export function MarkList({ label, className, text, marks, goTo }: Props) {
  const { editor, steps: t, translations } = useTexts();
  const wordsOf = useMarkWords();
  const list = useMemo(() => (marks.length === 0 ? undefined : readSteps(text)), [text, marks]);
  if (marks.length === 0) return null;
  const nameOf = (mark: Mark): string | undefined => {
    const index = stepOf(mark);
    const step = index === undefined ? undefined : list?.steps[index];
    return list && step && index !== undefined
      ? stepLabel(t, step, index, localeOf(list.definition))
      : undefined;
  };
  return (
    <ul aria-label={label} className={className}>
      {marks.slice(0, shownMax).map((mark, index) => (
        <li key={`${index} ${mark.message}`}>
          <button
            type="button"
            className="flex w-full items-start gap-2 rounded px-2 py-1.5 text-left hover:bg-raised"
            onClick={() => goTo(mark)}
          >
            <Badge tone={mark.severity === 'error' ? 'bad' : 'warn'}>
              {editor.severities[mark.severity]}
            </Badge>
            <span className="min-w-0 break-words">
              {nameOf(mark) !== undefined && <span className="mr-2 font-medium">{nameOf(mark)}</span>}
              {wordsOf(mark)}
            </span>
          </button>
        </li>
      ))}
      {marks.length > shownMax && (
        <li className="px-2 py-1.5 text-quiet">{translations.moreFaults(marks.length - shownMax)}</li>
      )}
    </ul>
  );
}
