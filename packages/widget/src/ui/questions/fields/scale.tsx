import { StarIcon } from '../../look/icons.tsx';
import { useLanguage } from '../../language/language-context.ts';
import { readWords } from '../draft.ts';
import type { FieldProps, QuestionField } from '../question-field.ts';
import { AnswerButton, AnswerButtons } from './answer-buttons.tsx';
import { pressed } from './choices.tsx';
import { starsMax } from './scale-answer.tsx';

/** What types have in common whose answer is a number on a scale. */
export const onScale: Omit<QuestionField, 'Field'> = {
  ...pressed,
  isScale: true,
  readDraft: (_input, draft) => readWords(draft, (words) => ({ answer: { value: Number(words) }, words })),
};

/** A number from `min` to `max` as a row of buttons: stars for a short rating, else the numbers themselves. */
export function Scale(props: FieldProps & { low: string | undefined; high: string | undefined }) {
  const { input, draft, onAnswer, isBusy, aria, low, high } = props;
  const { say, tag } = useLanguage();
  const min = Number(input.min ?? 0);
  const max = Number(input.max ?? 10);
  const isStars = max <= starsMax;
  const numbers: number[] = [];
  for (let n = min; n <= max; n += 1) numbers.push(n);
  const labelOf = (n: number) => {
    const end = n === min ? low : n === max ? high : undefined;
    const label = isStars ? say('outOf', { n, max }) : String(n);
    return end === undefined ? label : `${label}, ${end}`;
  };
  return (
    <div class="scale">
      <AnswerButtons kind={isStars ? 'row stars' : `row numbers of-${numbers.length}`} aria={aria}>
        {numbers.map((n) => (
          <AnswerButton
            key={n}
            label={labelOf(n)}
            isChosen={draft === String(n)}
            isLit={isStars ? n <= Number(draft) : undefined}
            isBusy={isBusy}
            onPress={() => onAnswer(String(n))}
          >
            {isStars ? <StarIcon /> : n}
          </AnswerButton>
        ))}
      </AnswerButtons>
      {low !== undefined && high !== undefined && (
        <div class="ends" aria-hidden="true" lang={tag}>
          <span>{low}</span>
          <span>{high}</span>
        </div>
      )}
    </div>
  );
}
