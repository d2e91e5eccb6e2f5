import { useState } from 'react';
import { useTexts } from '../../../../../texts/texts.tsx';
import { Badge } from '../../../../../ui/badge.tsx';
import { Button } from '../../../../../ui/forms/button.tsx';
import type { Mark } from '../../check.ts';
import { stepOf } from './advice.ts';
import { useMarkWords } from './mark-words.ts';

interface OtherProps {
  marks: readonly Mark[];
  /** Shows a place of the text, in UTF-16 units. */
  toSource(offset: number): void;
}

/** Says how much is wrong, and leads from one to the next. */
export function Wrong({ marks, goTo }: { marks: readonly Mark[]; goTo(step: number, at: number): void }) {
  const { steps: t } = useTexts();
  const [last, setLast] = useState(-1);
  const own = marks.filter((mark) => stepOf(mark) !== undefined);
  const errors = marks.filter(({ severity }) => severity === 'error').length;
  if (marks.length === 0) return <Badge tone="good">{t.nothingWrong}</Badge>;
  const next = (): void => {
    const at = (last + 1) % own.length;
    const step = own[at] && stepOf(own[at]);
    if (step === undefined) return;
    setLast(at);
    goTo(step, own.slice(0, at).filter((mark) => stepOf(mark) === step).length);
  };
  return (
    <>
      <Badge tone={errors > 0 ? 'bad' : 'warn'}>{t.wrong(errors, marks.length - errors)}</Badge>
      {own.length > 0 && (
        <Button isSmall onClick={next}>
          {t.toNext}
        </Button>
      )}
    </>
  );
}

/** What is wrong outside of the steps, with a way to its place. */
export function OtherMarks({ marks, toSource }: OtherProps) {
  const { steps: t } = useTexts();
  const wordsOf = useMarkWords();
  const others = marks.filter((mark) => stepOf(mark) === undefined);
  if (others.length === 0) return null;
  return (
    <ul aria-label={t.otherFaults} className="card space-y-2 p-3">
      {others.map((mark, index) => (
        <li key={index} className="flex flex-wrap items-center gap-2">
          <span className="min-w-0 flex-1 basis-48 break-words">{wordsOf(mark)}</span>
          <Button isSmall onClick={() => toSource(mark.from)}>
            {t.toSource}
          </Button>
        </li>
      ))}
    </ul>
  );
}
