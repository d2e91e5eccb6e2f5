import { useState } from 'react';
import { useTexts } from '../../../../../texts/texts.tsx';
import { Badge } from '../../../../../ui/badge.tsx';
import { Button } from '../../../../../ui/forms/button.tsx';
import type { Mark } from '../../check.ts';
import { stepOf } from './advice.ts';

interface Props {
  marks: readonly Mark[];
  /** Shows a fault of a card by its number there. Without a step, it is in the card of the conversation. */
  goTo(step: number | undefined, at: number): void;
}

/** Says how much is wrong, and leads from one to the next. */
export function Wrong({ marks, goTo }: Props) {
  const { steps: t } = useTexts();
  const [last, setLast] = useState(-1);
  const errors = marks.filter(({ severity }) => severity === 'error').length;
  if (marks.length === 0) return <Badge tone="good">{t.nothingWrong}</Badge>;
  const next = (): void => {
    const at = (last + 1) % marks.length;
    const [mark] = marks.slice(at);
    if (!mark) return;
    const step = stepOf(mark);
    setLast(at);
    goTo(step, marks.slice(0, at).filter((one) => stepOf(one) === step).length);
  };
  return (
    <>
      <Badge tone={errors > 0 ? 'bad' : 'warn'}>{t.wrong(errors, marks.length - errors)}</Badge>
      <Button isSmall onClick={next}>
        {t.toNext}
      </Button>
    </>
  );
}
