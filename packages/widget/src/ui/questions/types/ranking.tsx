import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { chosenIn, type Draft, type Input } from '../draft.ts';
import { type LoadedProps, type LoadedType, sayIn, type Words } from '../loaded-field.ts';

const words: Words<'up' | 'down' | 'moved' | 'unplaced' | 'hint' | 'best'> = {
  en: {
    up: 'Move up: {label}',
    down: 'Move down: {label}',
    moved: '{label}: place {n} of {max}',
    unplaced: '{label}: without a place',
    hint: 'Put them in order, the best first',
    best: 'Put the best {max} first',
  },
  de: {
    up: 'Nach oben: {label}',
    down: 'Nach unten: {label}',
    moved: '{label}: Platz {n} von {max}',
    unplaced: '{label}: ohne Platz',
    hint: 'Bringen Sie alles in eine Reihenfolge, das Beste zuerst',
    best: 'Stellen Sie die besten {max} nach oben',
  },
  fr: {
    up: 'Monter : {label}',
    down: 'Descendre : {label}',
    moved: '{label} : place {n} sur {max}',
    unplaced: '{label} : sans place',
    hint: 'Classez-les, le meilleur en premier',
    best: 'Placez les {max} meilleurs en premier',
  },
  es: {
    up: 'Subir: {label}',
    down: 'Bajar: {label}',
    moved: '{label}: lugar {n} de {max}',
    unplaced: '{label}: sin lugar',
    hint: 'Ordénelos, el mejor primero',
    best: 'Ponga primero los {max} mejores',
  },
  ar: {
    up: 'إلى الأعلى: {label}',
    down: 'إلى الأسفل: {label}',
    moved: '{label}: المركز {n} من {max}',
    unplaced: '{label}: بلا مركز',
    hint: 'رتّبها، الأفضل أولًا',
    best: 'ضع أفضل {max} أولًا',
  },
};

/** A list in which buttons move each choice up and down. */
export const ranking: LoadedType = {
  label: null,
  sentBy: 'wideButton',
  hasLines: false,
  isScale: false,
  Field: Ranking,
  css: `
.ranks { display: grid; gap: 6px; margin: 0; padding: 0; list-style: ''; }
.rank { display: flex; align-items: center; gap: 8px; padding-inline-start: 12px; border: 1px solid var(--edge); border-radius: var(--small-radius); background: var(--surface); }
.rank.placed { border-color: var(--ink); }
.rank .place { flex: none; min-inline-size: 1.5em; color: var(--ink); font-weight: 650; font-variant-numeric: tabular-nums; }
.rank .named { flex: 1; min-inline-size: 0; padding-block: 6px; overflow-wrap: anywhere; font-weight: 500; }
.rank button { flex: none; inline-size: 44px; block-size: 44px; border-radius: var(--small-radius); color: var(--ink); font-size: 1.1em; }
.rank button[aria-disabled='true'] { color: var(--muted); opacity: .5; }
.rank button:focus-visible { outline-offset: -2px; }
@media (hover: hover) { .rank button:not([aria-disabled='true']):hover { background: var(--tint); } }
@media (forced-colors: active) { .rank.placed { border-width: 2px; } }
`,
  readDraft(input, draft) {
    const placed = orderOf(input, draft).slice(0, placesOf(input));
    return {
      answer: { value: placed.map(({ value }) => value) },
      words: placed.map(({ label }, index) => `${index + 1}. ${label}`).join('\n'),
    };
  },
  hintOf(input, language) {
    const say = sayIn(words, language);
    const max = placesOf(input);
    return max < (input.choices ?? []).length ? say('best', { max }) : say('hint');
  },
};

function placesOf({ rankMax, choices = [] }: Input): number {
  return rankMax ?? choices.length;
}

/** Returns the choices in the order of a draft. Those that it lacks follow as they were shown. */
function orderOf({ choices = [] }: Input, draft: Draft) {
  const chosen = chosenIn(draft);
  const placed = chosen.flatMap((value) => choices.find((choice) => choice.value === value) ?? []);
  return [...placed, ...choices.filter(({ value }) => !chosen.includes(value))];
}

function Ranking({ input, draft, onDraft, isBusy, aria, language }: LoadedProps) {
  const list = useRef<HTMLOListElement>(null);
  const [moved, setMoved] = useState<{ value: string; by: number }>();
  const say = sayIn(words, language);
  const order = orderOf(input, draft);
  const max = placesOf(input);
  // A button that moves in the document loses the focus.
  useLayoutEffect(() => {
    if (!moved) return;
    const at = order.findIndex(({ value }) => value === moved.value);
    list.current?.children[at]?.querySelectorAll('button')[moved.by < 0 ? 0 : 1]?.focus();
  }, [moved]);
  const move = (at: number, by: number) => {
    const values = order.map(({ value }) => value);
    const [value] = values.splice(at, 1);
    if (isBusy || value === undefined || at + by < 0 || at + by >= order.length) return;
    values.splice(at + by, 0, value);
    onDraft(values);
    setMoved({ value, by });
  };
  const told = order.findIndex(({ value }) => value === moved?.value);
  return (
    <>
      <ol
        class="ranks"
        lang={language.tag}
        ref={list}
        aria-labelledby={aria['aria-labelledby']}
        aria-describedby={aria['aria-describedby']}
      >
        {order.map(({ value, label }, at) => (
          <li class={at < max ? 'rank placed' : 'rank'} key={value}>
            <span class="place" aria-hidden={at < max ? undefined : 'true'}>
              {at < max ? `${at + 1}.` : '–'}
            </span>
            <span class="named" dir="auto">
              {label}
            </span>
            {[-1, 1].map((by) => (
              <button
                key={by}
                type="button"
                aria-label={say(by < 0 ? 'up' : 'down', { label })}
                aria-disabled={isBusy || at + by < 0 || at + by >= order.length}
                onClick={() => move(at, by)}
              >
                {by < 0 ? '▲' : '▼'}
              </button>
            ))}
          </li>
        ))}
      </ol>
      <p class="hidden" role="status">
        {told < 0
          ? ''
          : say(told < max ? 'moved' : 'unplaced', { label: order[told]?.label ?? '', n: told + 1, max })}
      </p>
    </>
  );
}
