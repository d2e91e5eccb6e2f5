import { StarIcon } from '../icons.tsx';
import { useLanguage } from '../language-context.ts';
import type { FieldProps } from './field.tsx';

const starsMax = 5;

/** A number from `min` to `max` as radio buttons in a row: stars for a short rating, else the numbers themselves. */
export function Scale({ input, draft, onDraft, isBusy, name, aria }: FieldProps) {
  const { say, tag } = useLanguage();
  const min = Number(input.min ?? 0);
  const max = Number(input.max ?? 10);
  const isStars = input.type === 'rating' && max <= starsMax;
  const { low, high } = endsOf(input, say);
  const numbers = Array.from({ length: max - min + 1 }, (_, at) => min + at);
  const labelOf = (n: number) => {
    const end = n === min ? low : n === max ? high : undefined;
    const label = isStars ? say('outOf', { n, max }) : String(n);
    return end === undefined ? label : `${label}, ${end}`;
  };
  return (
    <div class="scale">
      <div class={isStars ? 'row stars' : `row numbers of-${numbers.length}`} role="radiogroup" {...aria}>
        {numbers.map((n) => (
          <label class={isStars && n <= Number(draft) ? 'step lit' : 'step'} key={n}>
            <input
              type="radio"
              name={name}
              value={n}
              checked={draft === String(n)}
              aria-label={labelOf(n)}
              aria-disabled={isBusy}
              onChange={() => onDraft(String(n))}
            />
            <span class="face">{isStars ? <StarIcon /> : n}</span>
          </label>
        ))}
      </div>
      {low !== undefined && high !== undefined && (
        <div class="ends" aria-hidden="true" lang={tag}>
          <span>{low}</span>
          <span>{high}</span>
        </div>
      )}
    </div>
  );
}

// The ends of the NPS mean the same everywhere, so they are told even if the bot does not.
function endsOf({ type, labels }: FieldProps['input'], say: ReturnType<typeof useLanguage>['say']) {
  if (type === 'nps') return { low: labels?.low ?? say('npsLow'), high: labels?.high ?? say('npsHigh') };
  return { low: labels?.low, high: labels?.high };
}
