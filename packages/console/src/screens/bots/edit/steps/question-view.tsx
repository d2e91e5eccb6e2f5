import { describeInput } from '@parley/bot/editing/known-values';
import { inputOfType } from '@parley/bot/editing/new-values';
import { impliedLabelsOf } from '@parley/bot/implied-labels';
import { memo, type ReactNode } from 'react';
import { useTexts } from '../../../../texts/texts.tsx';
import { Button } from '../../../../ui/forms/button.tsx';
import { type Edit, useEditing, useFirstWords, useOutline } from './fields/editing.tsx';
import { textIn, wordingOf } from './fields/step-list.ts';

interface Props {
  input: unknown;
  locale: string;
}

/** How an answer is given, as customers see it. Nothing for a rule with faults. */
export const QuestionView = memo(function QuestionView({ input, locale }: Props) {
  const { steps: t } = useTexts();
  const described = describeInput(input, locale);
  if (!described) return null;
  const { needs, effort } = described;
  const { choices, other, rows, columns, label, labels = {}, min, max } = needs;
  const isScale = effort === 'press' && typeof min === 'number' && typeof max === 'number';
  return (
    <figure aria-label={t.asCustomersSee} className="rounded-md bg-raised p-3 text-xs">
      {rows && columns ? (
        <Table rows={rows} columns={columns} />
      ) : isScale ? (
        <>
          <div className="flex flex-wrap gap-1">
            {Array.from({ length: max - min + 1 }, (_, at) => (
              <Pill key={at}>{min + at}</Pill>
            ))}
          </div>
          <p className="mt-1 flex justify-between gap-4 text-quiet">
            <span>{labels['low']}</span>
            <span>{labels['high']}</span>
          </p>
        </>
      ) : choices ? (
        <div className="flex flex-wrap gap-1">
          {choices.map(({ value, label: words }) => (
            <Pill key={value}>{words}</Pill>
          ))}
          {other && <Pill>{other.label} …</Pill>}
        </div>
      ) : label !== undefined ? (
        <Pill>☐ {label}</Pill>
      ) : effort === 'press' ? (
        <div className="flex flex-wrap gap-1">
          {Object.entries(labels).map(([name, words]) => (
            <Pill key={name}>{words}</Pill>
          ))}
        </div>
      ) : (
        <div
          className={
            effort === 'text'
              ? 'h-16 rounded border border-line bg-panel'
              : 'h-8 rounded border border-line bg-panel'
          }
        />
      )}
    </figure>
  );
});

/** Says that labels are English, to an author who does not only write English, and gives the question its own. */
export function ImpliedLabels({ step, edit }: { step: Record<string, unknown>; edit: Edit }) {
  const { steps: t } = useTexts();
  const { schema } = useEditing();
  const { locale } = useOutline();
  const say = useFirstWords();
  const input = (step['input'] ?? {}) as Record<string, unknown>;
  const isEnglish = /^en\b/i.test(locale) && wordingOf(step['text'], locale).others.length === 0;
  if (isEnglish || impliedLabelsOf(input) === undefined) return null;
  return (
    <p className="flex flex-wrap items-center gap-x-2 text-xs text-quiet">
      {t.impliedLabels}
      <Button
        isSmall
        kind="quiet"
        onClick={() => edit(['input'], inputOfType(schema, input, textIn(input, 'type'), say))}
      >
        {t.writeLabels}
      </Button>
    </p>
  );
}

function Pill({ children }: { children: ReactNode }) {
  return (
    <span className="max-w-full rounded-full border border-line bg-panel px-2.5 py-1 break-words">
      {children}
    </span>
  );
}

interface Labelled {
  value: string;
  label: string;
}

function Table({ rows, columns }: { rows: Labelled[]; columns: Labelled[] }) {
  return (
    <ul className="space-y-1.5">
      {rows.map(({ value, label }) => (
        <li key={value}>
          <p className="mb-0.5 font-medium break-words">{label}</p>
          <div className="flex flex-wrap gap-1">
            {columns.map((column) => (
              <Pill key={column.value}>{column.label}</Pill>
            ))}
          </div>
        </li>
      ))}
    </ul>
  );
}
