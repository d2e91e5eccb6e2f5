import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type Definition, versionQuery } from '../../data/bots.ts';
import { useWorkspace } from '../../data/workspace.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Problem } from '../../ui/problem.tsx';
import { SkeletonLines } from '../../ui/states.tsx';
import { type Change, changesBetween } from './compare.ts';
import type { LostCondition } from './conditions.ts';

const tones: Record<Change['kind'], Tone> = {
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

/** What is different in two versions, step by step. */
export function Difference({ botId, left, right }: Props) {
  const { bots: t, common } = useTexts();
  const workspace = useWorkspace();
  const before = useQuery(versionQuery(workspace, botId, left));
  const after = useQuery(versionQuery(workspace, botId, right));
  const error = before.error ?? after.error;
  if (error) return <Problem error={error} />;
  if (!before.data || !after.data) return <SkeletonLines label={common.loading} />;
  const changes = changesBetween(
    before.data.definition as unknown as Definition,
    after.data.definition as unknown as Definition,
  );
  if (changes.length === 0) return <p className="p-4 text-quiet">{t.noDifference}</p>;
  return (
    <>
      <Conditions before={before.data.definition} after={after.data.definition} />
      <ol>
        {changes.map((change) => (
          <li key={`${change.kind} ${change.name}`} className="border-b border-line p-4 last:border-0">
            <ChangeOf change={change} />
          </li>
        ))}
      </ol>
    </>
  );
}

/** The conditions that no longer hold. The code that finds them is large, so it is loaded here. */
function Conditions({ before, after }: { before: unknown; after: unknown }) {
  const { bots: t } = useTexts();
  const [lost, setLost] = useState<LostCondition[]>([]);
  useEffect(() => {
    let isOver = false;
    void import('./conditions.ts').then(({ lostConditions }) => {
      if (!isOver) setLost(lostConditions(before, after));
    });
    return () => {
      isOver = true;
    };
  }, [before, after]);
  if (lost.length === 0) return null;
  return (
    <section aria-label={t.lostConditions} className="border-b border-line bg-warn-soft p-4 text-warn">
      <h3 className="font-medium">{t.lostConditions}</h3>
      <ul className="mt-1 list-disc pl-5">
        {lost.map(({ pointer, detail }) => (
          <li key={`${pointer} ${detail}`} className="break-words">
            <code className="font-mono text-xs">{pointer}</code> {detail}
          </li>
        ))}
      </ul>
    </section>
  );
}

function ChangeOf({ change }: { change: Change }) {
  const { bots: t } = useTexts();
  const { kind, name, isStep, places, fields } = change;
  return (
    <>
      <p className="flex flex-wrap items-center gap-2">
        <Badge tone={tones[kind]}>{t.changes[kind]}</Badge>
        <span>
          {isStep ? t.step : t.field} <code className="font-mono">{name}</code>
        </span>
        {places && places[0] !== places[1] && <span className="text-quiet">{t.places(...places)}</span>}
      </p>
      <dl className="mt-2 space-y-2">
        {fields.map((field) => (
          <div key={field.name}>
            <dt className="font-mono text-xs text-quiet">{field.name}</dt>
            <dd className="grid gap-1 md:grid-cols-2">
              <Side label={t.before} sign="−" text={field.before} className="bg-bad-soft" />
              <Side label={t.after} sign="+" text={field.after} className="bg-good-soft" />
            </dd>
          </div>
        ))}
      </dl>
    </>
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
