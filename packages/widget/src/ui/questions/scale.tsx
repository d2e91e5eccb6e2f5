import { StarIcon } from '../look/icons.tsx';
import { useLanguage } from '../language/language-context.ts';
import { starsMax } from './scale-answer.tsx';
import { AnswerButton, AnswerButtons } from './answer-buttons.tsx';
import type { FieldProps } from './field-props.ts';

/** A number from `min` to `max` as a row of buttons: stars for a short rating, else the numbers themselves. */
export function Scale({ input, draft, onAnswer, isBusy, aria }: FieldProps) {
  const { say, tag } = useLanguage();
  const min = Number(input.min ?? 0);
  const max = Number(input.max ?? 10);
  const isStars = max <= starsMax;
  const { low, high } = endsOf(input, say);
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

// The ends of the NPS mean the same everywhere, so they are shown even without labels.
function endsOf({ type, labels }: FieldProps['input'], say: ReturnType<typeof useLanguage>['say']) {
  if (type === 'nps') return { low: labels?.low ?? say('npsLow'), high: labels?.high ?? say('npsHigh') };
  return { low: labels?.low, high: labels?.high };
}
