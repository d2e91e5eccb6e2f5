import { useTexts } from '../../../../texts/texts.tsx';
import { Button } from '../../../../ui/forms/button.tsx';
import type { Mark } from '../check.ts';

interface Props {
  marks: readonly Mark[];
  /** Shows a place of the text, in UTF-16 units. */
  toSource(offset: number): void;
}

/** Says that a text has no steps that could be shown, and leads to what is wrong. */
export function Unreadable({ marks, toSource }: Props) {
  const { steps: t } = useTexts();
  return (
    <div role="alert" className="flex flex-wrap items-center gap-3 p-4">
      <p className="min-w-0 flex-1 basis-64">{t.unreadable}</p>
      <Button onClick={() => toSource(marks[0]?.from ?? 0)}>{t.toSource}</Button>
    </div>
  );
}
