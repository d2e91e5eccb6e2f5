import { changesBetween, type ValueChange } from '@parley/bot/changes';
import { type DifferenceRow, differenceRows } from '@parley/report/difference';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { versionQuery } from '../../data/bots.ts';
import { useWorkspace } from '../../data/workspace.tsx';
import { useLanguage, useTexts } from '../../texts/texts.tsx';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Problem } from '../../ui/problem.tsx';
import { SkeletonLines } from '../../ui/states.tsx';
import { valueText } from '../../ui/words.ts';
import { eachValue, ownRows, placeWords, pointerWords, stepText } from './change-words.ts';
import type { LostCondition, SayValue } from './conditions.ts';

const tones: Record<DifferenceRow['change'], Tone> = {
  added: 'good',
  removed: 'bad',
  changed: 'warn',
  moved: 'accent',
};

interface Props {
  botId: string;
  left: number;
  right: number;
}

export function Difference({ botId, left, right }: Props) {
  const { common } = useTexts();
  const workspace = useWorkspace();
  const before = useQuery(versionQuery(workspace, botId, left));
  const after = useQuery(versionQuery(workspace, botId, right));
  const error = before.error ?? after.error;
  if (error) return <Problem error={error} />;
  if (!before.data || !after.data) return <SkeletonLines label={common.loading} />;
  return <Changes before={before.data.definition} after={after.data.definition} />;
}

interface ChangesProps {
  before: unknown;
  after: unknown;
  /** Another definition after `before`. What it changes to the same is left out. */
  other?: unknown;
}

/** What differs in two definitions, in words. */
export function Changes({ before, after, other = before }: ChangesProps) {
  const { bots: t } = useTexts();
  const { language } = useLanguage();
  const [own, others] = [after, other].map((one) => differenceRows(changesBetween(before, one)));
  const rows = ownRows(own ?? [], others ?? []);
  const { lost, say } = useInWords(before, after);
  if (rows.length === 0) return <p className="p-4 text-quiet">{t.noDifference}</p>;
  const nameOf = (stepId: string): string | undefined =>
    stepText(after, stepId, language) ?? stepText(before, stepId, language);
  return (
    <>
      <Conditions lost={lost} nameOf={(pointer) => pointerWords(after, pointer, t.valueNames, language)} />
      <ol className="@container">
        {rows.map((row) => (
          <li key={row.stepId ?? ''} className="border-b border-line p-4 last:border-0">
            <ChangeOf row={row} name={row.stepId === undefined ? undefined : nameOf(row.stepId)} say={say} />
          </li>
        ))}
      </ol>
    </>
  );
}

interface InWords {
  /** The conditions that no longer hold. */
  lost: LostCondition[];
  /** Undefined while the code is loaded. */
  say?: { before: SayValue; after: SayValue };
}

/** Returns what is known of conditions. The code that reads them is large, so it is loaded here. */
function useInWords(before: unknown, after: unknown): InWords {
  const texts = useTexts();
  const { language } = useLanguage();
  const [found, setFound] = useState<InWords>({ lost: [] });
  useEffect(() => {
    let isOver = false;
    void import('./conditions.ts').then(({ lostConditions, valueWords }) => {
      if (isOver) return;
      setFound({
        lost: lostConditions(before, after),
        say: {
          before: valueWords(before, texts, language),
          after: valueWords(after, texts, language),
        },
      });
    });
    return () => {
      isOver = true;
    };
  }, [before, after, texts, language]);
  return found;
}

function Conditions({ lost, nameOf }: Pick<InWords, 'lost'> & { nameOf(pointer: string): string }) {
  const { bots: t } = useTexts();
  if (lost.length === 0) return null;
  return (
    <section aria-label={t.lostConditions} className="border-b border-line bg-warn-soft p-4 text-warn">
      <h3 className="font-medium">{t.lostConditions}</h3>
      <ul className="mt-1 list-disc pl-5">
        {lost.map(({ pointer, detail }) => (
          <li key={`${pointer} ${detail}`} className="break-words">
            {nameOf(pointer)}: {detail}
          </li>
        ))}
      </ul>
    </section>
  );
}

function ChangeOf({
  row: { stepId, change, values, places },
  name,
  say,
}: {
  row: DifferenceRow;
  name: string | undefined;
  say: InWords['say'];
}) {
  const { bots: t } = useTexts();
  return (
    <>
      <p className="flex flex-wrap items-center gap-2">
        <Badge tone={tones[change]}>{t.changes[change]}</Badge>
        {stepId === undefined ? (
          t.bot
        ) : (
          <span className="min-w-0 wrap-anywhere">
            {name ?? t.figures.step} <code className="font-mono text-xs text-quiet">{stepId}</code>
          </span>
        )}
        {places && <span className="text-quiet">{t.places(...places)}</span>}
      </p>
      <Values values={eachValue(values)} say={say} />
    </>
  );
}

function Values({ values, say }: { values: ValueChange[]; say: InWords['say'] }) {
  const { bots: t } = useTexts();
  return (
    <dl className="mt-2 space-y-2">
      {values.map(({ path, before, after }) => (
        <div key={path}>
          <dt className="text-xs text-quiet" title={path}>
            {placeWords(path, t.valueNames)}
          </dt>
          <dd className="grid gap-1 @lg:grid-cols-2">
            <Side
              label={t.before}
              sign="−"
              text={say?.before(path, before) ?? valueText(before)}
              className="bg-bad-soft"
            />
            <Side
              label={t.after}
              sign="+"
              text={say?.after(path, after) ?? valueText(after)}
              className="bg-good-soft"
            />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Side({
  label,
  sign,
  text,
  className,
}: {
  label: string;
  sign: string;
  text: string | undefined;
  className: string;
}) {
  if (text === undefined) return <span />;
  return (
    <pre
      className={`flex gap-2 rounded px-2 py-1 font-mono text-xs break-words whitespace-pre-wrap ${className}`}
    >
      <span aria-hidden="true">{sign}</span>
      <span className="min-w-0">
        <span className="sr-only">{label}: </span>
        {text}
      </span>
    </pre>
  );
}
