import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { chosenIn, memberOf } from '../draft.ts';
import { type LoadedProps, type LoadedType, sayIn, type Words } from '../loaded-field.ts';

const words: Words<'every'> = {
  en: { every: 'Choose one answer for each row' },
  de: { every: 'Wählen Sie eine Antwort für jede Zeile' },
  fr: { every: 'Choisissez une réponse par ligne' },
  es: { every: 'Elija una respuesta para cada fila' },
  ar: { every: 'اختر إجابة واحدة لكل صف' },
};

/** The widths, in CSS pixels, that a table needs for its rows' names and for each column. */
const rowWidth = 160;
const columnWidth = 84;

/** A question per row, or a table if there is room for all columns. */
export const matrix: LoadedType = {
  label: null,
  sentBy: 'wideButton',
  hasLines: false,
  isScale: false,
  Field: Matrix,
  css: `
.grid { table-layout: fixed; inline-size: 100%; border-collapse: collapse; }
.grid thead td { inline-size: 28%; }
.grid th { padding: 6px; font-weight: 500; overflow-wrap: anywhere; }
.grid th[scope=row] { text-align: start; }
.grid thead th { color: var(--muted); font-size: .8667em; vertical-align: bottom; }
.grid tr + tr > *, .grid tbody tr > * { border-block-start: 1px solid var(--line); }
.cell { position: relative; display: grid; place-items: center; min-inline-size: 44px; min-block-size: 44px; cursor: pointer; }
.cell input { inline-size: 24px; block-size: 24px; margin: 0; accent-color: var(--ink); cursor: inherit; }
.cell:has(:checked) { background: var(--tint); border-radius: var(--small-radius); }
.asked { min-inline-size: 0; margin: 0; padding: 0; border: 0; }
.asked + .asked { margin-block-start: 16px; }
.asked legend { padding: 0; margin-block-end: 6px; font-weight: 600; overflow-wrap: anywhere; }
.option input[type=radio] + .face::before { border-radius: 50%; }
`,
  readDraft({ rows = [], columns = [], rowsRequired }, draft) {
    const chosen = rows.flatMap((row) => {
      const column = columns.find(({ value }) => value === memberOf(draft, row.value));
      return column === undefined ? [] : [{ row, column }];
    });
    if (chosen.length === 0) return { fault: 'empty' };
    if (rowsRequired !== false && chosen.length < rows.length) return { fault: 'invalid' };
    return {
      answer: { value: Object.fromEntries(chosen.map(({ row, column }) => [row.value, column.value])) },
      words: chosen.map(({ row, column }) => `${row.label}: ${column.label}`).join('\n'),
    };
  },
  hintOf: ({ rowsRequired }, language) => (rowsRequired === false ? '' : sayIn(words, language)('every')),
};

function Matrix(props: LoadedProps) {
  const { input, aria, language } = props;
  const host = useRef<HTMLDivElement>(null);
  const [isWide, setIsWide] = useState(false);
  const needed = rowWidth + (input.columns ?? []).length * columnWidth;
  useLayoutEffect(() => {
    const { current } = host;
    if (!current) return undefined;
    const measure = () => setIsWide(current.clientWidth >= needed);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    return () => observer.disconnect();
  }, [needed]);
  return (
    <div
      ref={host}
      role="group"
      lang={language.tag}
      aria-labelledby={aria['aria-labelledby']}
      aria-describedby={aria['aria-describedby']}
    >
      {isWide ? <Table {...props} /> : <Rows {...props} />}
    </div>
  );
}

function Table(props: LoadedProps) {
  const { rows = [], columns = [] } = props.input;
  return (
    <table class="grid">
      <thead>
        <tr>
          <td />
          {columns.map(({ value, label }) => (
            <th scope="col" key={value} dir="auto">
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.value}>
            <th scope="row" dir="auto">
              {row.label}
            </th>
            {columns.map((column) => (
              <td key={column.value}>
                <label class="cell">
                  <Radio {...props} row={row} column={column} label={`${row.label}: ${column.label}`} />
                </label>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Rows(props: LoadedProps) {
  const { rows = [], columns = [] } = props.input;
  return rows.map((row) => (
    <fieldset class="asked" key={row.value}>
      <legend dir="auto">{row.label}</legend>
      <div class="options">
        {columns.map((column) => (
          <label class="option" key={column.value}>
            <Radio {...props} row={row} column={column} />
            <span class="face" dir="auto">
              {column.label}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  ));
}

interface Named {
  value: string;
  label: string;
}

function Radio(props: LoadedProps & { row: Named; column: Named; label?: string }) {
  const { draft, onDraft, isBusy, name, row, column, label } = props;
  const others = () => chosenIn(draft).filter((one) => !one.startsWith(`${row.value}=`));
  return (
    <input
      type="radio"
      name={`${name}-${row.value}`}
      checked={memberOf(draft, row.value) === column.value}
      aria-label={label}
      aria-disabled={isBusy}
      onChange={() => onDraft([...others(), `${row.value}=${column.value}`])}
    />
  );
}
