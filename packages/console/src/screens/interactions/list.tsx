import type { Bot, Interaction } from '@parley/client';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import { type ReactNode, Suspense, useMemo, useState } from 'react';
import { useBots, useDefinition } from '../../data/bots.ts';
import { historyOf } from '../../data/history.ts';
import { useRows } from '../../data/rows.ts';
import { useWorkspace } from '../../data/workspace.tsx';
import { zoneOf } from '../../data/zone.ts';
import { type Texts, useTexts } from '../../texts/texts.tsx';
import { Button, buttonClass } from '../../ui/forms/button.tsx';
import { CustomerName } from '../../ui/customer-name.tsx';
import { Personal } from '../../ui/hidden.tsx';
import { part } from '../../ui/part.tsx';
import { RowLink } from '../../ui/tables/row-link.tsx';
import { useSelection } from '../../ui/tables/selection.ts';
import { Empty, ScreenHead } from '../../ui/states.tsx';
import { type Column, columnsOf, DataTable } from '../../ui/tables/table.tsx';
import { Time, useNumbers } from '../../ui/time.tsx';
import { wordsOf } from '../../ui/words.ts';
import { FilterBar } from './filter-bar.tsx';
import { hiddenIn, isFiltered, queryOf } from './filters.ts';
import { SelectedBar } from './selected.tsx';
import { useOpening } from '../../ui/forms/opening.ts';
import { PriorityText, Status, TestMark } from './status.tsx';
import { useMissingScope } from '../../ui/read-only.tsx';

const CreateDialog = part(() => import('./create.tsx'), 'CreateInteraction');
const ExportDialog = part(() => import('./export.tsx'), 'ExportDialog');

const route = getRouteApi('/w/$workspaceId/interactions');
const column = columnsOf<Interaction>();
const noBots: Bot[] = [];
const words = {
  idOf: ({ id }: Interaction) => id,
  nameOf: ({ customerId }: Interaction) => customerId,
};

/** All interactions that match the filters of the address, newest first. */
export function InteractionList() {
  const { interactions: t, invitations } = useTexts();
  const { id, client } = useWorkspace();
  const search = route.useSearch();
  const query = queryOf(search);
  const rows = useRows([id, 'interactions', query], (page, signal) =>
    client.interactions.list({ ...query, ...page, include: 'details' }, { signal }),
  );
  const selection = useSelection(JSON.stringify(query), rows, words);
  const [isCreating, setCreating] = useOpening('interaction');
  const [isExporting, setExporting] = useState(false);
  const keys = useEvaluationKeys(search.bot);
  const columns = useInteractionColumns(keys);
  const hidden = useMemo(() => hiddenIn(search, columns), [search, columns]);
  const { count } = useNumbers();
  const missing = useMissingScope('interactions:write');
  return (
    <>
      <ScreenHead
        title={
          <>
            {t.title}{' '}
            {rows.total !== undefined && <span className="font-normal text-quiet">{count(rows.total)}</span>}
          </>
        }
      >
        <Button onClick={() => setExporting(true)}>
          <Download size={15} aria-hidden="true" />
          {t.export}
        </Button>
        <Link to="/w/$workspaceId/interactions/import" params={{ workspaceId: id }} className={buttonClass()}>
          {invitations.fromCsv}
        </Link>
        <Button kind="primary" reason={missing} onClick={() => setCreating(true)}>
          {t.create}
        </Button>
      </ScreenHead>
      <FilterBar search={search} keys={keys} columns={columns} hidden={hidden} />
      {rows.total === 0 ? (
        <NothingFound isFiltered={isFiltered(search)} />
      ) : (
        <DataTable name="interactions" label={t.title} {...{ columns, rows, hidden, selection }} />
      )}
      <SelectedBar selection={selection} query={query} total={rows.total} />
      <Suspense>
        {isCreating && <CreateDialog close={() => setCreating(false)} />}
        {isExporting && (
          <ExportDialog query={query} zone={zoneOf(search)} close={() => setExporting(false)} />
        )}
      </Suspense>
    </>
  );
}

function NothingFound({ isFiltered: hasFilters }: { isFiltered: boolean }) {
  const { interactions: t } = useTexts();
  const navigate = route.useNavigate();
  if (!hasFilters) return <Empty title={t.none}>{t.noneHow}</Empty>;
  return (
    <Empty title={t.noMatch}>
      <Button onClick={() => void navigate({ search: {} })}>{t.clearFilters}</Button>
    </Empty>
  );
}

/** None without a bot. */
function useEvaluationKeys(botId: string | undefined): string[] {
  const definition = useDefinition(botId);
  return useMemo(() => Object.keys(definition?.evaluation ?? {}), [definition]);
}

function useInteractionColumns(keys: string[]): Column<Interaction>[] {
  const { interactions: t } = useTexts();
  const { id: workspaceId } = useWorkspace();
  return useMemo(
    () => [
      column(
        'customer',
        t.customer,
        ({ id, customerId, isTest }) => (
          <RowLink
            to="/w/$workspaceId/interactions/$interactionId"
            params={{ workspaceId, interactionId: id }}
          >
            <CustomerName id={customerId} /> <TestMark isTest={isTest} />
          </RowLink>
        ),
        { width: 'minmax(9rem,1.6fr)' },
      ),
      column('status', t.status, ({ status }) => <Status status={status} />, {
        width: '7.5rem',
        isNarrow: true,
      }),
      ...(keys.length === 0
        ? [column('type', t.bot, (row) => <BotName row={row} />, { width: 'minmax(6rem,1fr)' })]
        : []),
      column('created', t.createdAt, ({ createdAt }) => <Time at={createdAt} />, {
        width: '11rem',
        order: 'descending',
      }),
      ...(keys.length > 0
        ? keys.map((key) =>
            column(
              `e:${key}`,
              wordsOf(key),
              (row) => <Personal text={historyOf(row)?.evaluation[key] ?? ''} />,
              {
                width: 'minmax(5rem,1fr)',
              },
            ),
          )
        : [
            column('evaluation', t.evaluation, (row) => <EvaluationSummary row={row} />, {
              width: 'minmax(8rem,2fr)',
            }),
          ]),
      ...(keys.length === 0
        ? [
            column('priority', t.priority, ({ priority }) => <PriorityText priority={priority} />, {
              width: '5.5rem',
            }),
          ]
        : []),
      ...detailColumns(t),
    ],
    [t, workspaceId, keys],
  );
}

function detailColumns(t: Texts['interactions']): Column<Interaction>[] {
  const timeOf = (at: string | null | undefined): ReactNode => (at ? <Time at={at} /> : '–');
  const look = { width: '11rem', isOptional: true };
  return [
    column('version', t.version, ({ details }) => details?.botVersion ?? '–', {
      width: '5rem',
      isOptional: true,
    }),
    column('started', t.startedAt, ({ details }) => timeOf(details?.startedAt), look),
    column('completed', t.completedAt, ({ details }) => timeOf(details?.completedAt), look),
    column('updated', t.updatedAt, ({ details }) => timeOf(details?.updatedAt), look),
    column('expires', t.expiresAt, ({ expiresAt }) => timeOf(expiresAt), look),
  ];
}

/** The name of the bot. The type of a bot that the person may not see. */
function BotName({ row: { details, type } }: { row: Interaction }) {
  const { data: bots = noBots } = useBots();
  return bots.find(({ id }) => id === details?.botId)?.name ?? type;
}

function EvaluationSummary({ row }: { row: Interaction }) {
  const entries = Object.entries(historyOf(row)?.evaluation ?? {});
  return entries.map(([key, value]) => (
    <span key={key} className="mr-3">
      <span className="text-quiet" title={key}>
        {wordsOf(key)}
      </span>{' '}
      <Personal text={value} />
    </span>
  ));
}
