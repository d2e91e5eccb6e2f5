import type { Bot, BotDraftEntry, InsightDay } from '@parley/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { draftsQuery, useBots, useUnpublished } from '../../data/bots.ts';
import { useNameOf } from '../../data/people.ts';
import { useLiveOptions } from '../../data/live.tsx';
import { useWorkspace } from '../../data/workspace.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { Badge } from '../../ui/badge.tsx';
import { part } from '../../ui/part.tsx';
import { useProblem } from '../../ui/problem.tsx';
import { Empty, ScreenHead, Skeleton } from '../../ui/states.tsx';
import { SmallColumns } from '../../ui/tables/columns.tsx';
import { Time, useNumbers } from '../../ui/time.tsx';
import { useOpening } from '../../ui/forms/opening.ts';
import { QueryState } from '../../ui/loading.tsx';
import { insightQuery } from './insight/insight-query.ts';
import { useMissingScope } from '../../ui/read-only.tsx';

const CreateBot = part(() => import('./create.tsx'), 'CreateBot');
const ImportBot = part(() => import('./import/import-bot.tsx'), 'ImportBot');

/** All bots of the workspace, each with its figures of the last 30 days. */
export function BotList() {
  const { bots: t, botImport } = useTexts();
  const { data, error, refetch } = useBots();
  const drafts = useBotDrafts();
  const [isCreating, setCreating] = useOpening('bot');
  const [isImporting, setImporting] = useState(false);
  const missing = useMissingScope('bots:write');
  return (
    <>
      <ScreenHead title={t.title}>
        <Button reason={missing} onClick={() => setImporting(true)}>
          {botImport.fromFile}
        </Button>
        <Button kind="primary" reason={missing} onClick={() => setCreating(true)}>
          {t.create}
        </Button>
      </ScreenHead>
      <Suspense>{isCreating && <CreateBot close={() => setCreating(false)} />}</Suspense>
      <Suspense>{isImporting && <ImportBot close={() => setImporting(false)} />}</Suspense>
      <QueryState query={{ data, error, refetch }} />
      {data?.length === 0 && <Empty title={t.none}>{t.noneHow}</Empty>}
      <ul className="grid gap-3">
        {data?.map((bot) => (
          <li key={bot.id}>
            <BotCard bot={bot} draft={drafts.get(bot.id)} />
          </li>
        ))}
      </ul>
    </>
  );
}

/** Which bots have a draft, by their ids. */
function useBotDrafts(): Map<string, BotDraftEntry> {
  const workspace = useWorkspace();
  const { data = [] } = useQuery({ ...draftsQuery(workspace), enabled: workspace.can('bots:read') });
  return new Map(data.map((draft) => [draft.botId, draft]));
}

export function BotCard({ bot, draft }: { bot: Bot; draft?: BotDraftEntry | undefined }) {
  const { bots: t } = useTexts();
  const workspace = useWorkspace();
  const { count, share } = useNumbers();
  const live = useLiveOptions();
  const words = useProblem();
  const nameOf = useNameOf();
  const isUnpublished = useUnpublished(draft);
  const { data, error } = useQuery({
    // In UTC, so that everybody sees equal figures.
    ...insightQuery(workspace, bot.id, { tz: 'UTC' }),
    ...live,
    enabled: workspace.can('insight:read'),
  });
  const totals = data?.totals;
  const figures = totals && [
    [t.figures.created, count(totals.created)],
    [t.figures.started, count(totals.started)],
    [t.startRate, share(totals.startRate)],
    [t.completionRate, share(totals.completionRate)],
  ];
  return (
    <div className="card relative flex flex-wrap items-center gap-x-6 gap-y-2 p-4 hover:bg-raised">
      <div className="min-w-0 flex-1 basis-48">
        <Link
          to="/w/$workspaceId/bots/$botId"
          params={{ workspaceId: workspace.id, botId: bot.id }}
          className="font-medium text-accent after:absolute after:inset-0 after:content-[''] hover:underline"
        >
          {bot.name}
        </Link>
        {draft && (
          <p className="text-quiet">
            {isUnpublished && <Badge tone="warn">{t.notLive}</Badge>} <Badge tone="accent">{t.draft}</Badge>{' '}
            {nameOf(draft.updatedBy)} · <Time at={draft.updatedAt} />
          </p>
        )}
        <p className="text-quiet">{t.last30} (UTC)</p>
      </div>
      {figures ? (
        <dl className="flex flex-wrap gap-x-6 gap-y-1">
          {figures.map(([name, value]) => (
            <div key={name}>
              <dt className="text-xs text-quiet">{name}</dt>
              <dd className="tabular-nums">{value}</dd>
            </div>
          ))}
        </dl>
      ) : (
        !error && workspace.can('insight:read') && <Skeleton className="h-8 w-56" />
      )}
      {totals && totals.created > 0 && <DaysChart days={data.days} />}
      {error && (
        <p className="text-warn">
          {t.figuresMissing} {words(error)}
        </p>
      )}
    </div>
  );
}

/** Created interactions by day, and what became of them. */
function DaysChart({ days }: { days: InsightDay[] }) {
  const { bots: t } = useTexts();
  return (
    <SmallColumns
      label={t.perDay(Math.max(...days.map(({ created }) => created)))}
      series={[
        { name: t.figures.completed, tone: 'good' },
        { name: t.startedOnly, tone: 'accent' },
        { name: t.createdOnly, tone: 'quiet' },
      ]}
      columns={days.map(({ date, created, started, completed }) => ({
        key: date,
        label: date,
        values: [completed, started - completed, created - started],
      }))}
    />
  );
}
