import type { Interaction, InteractionDetails } from '@parley/client';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useBots } from '../../data/bots.ts';
import { useCustomerName } from '../../data/customer-names.ts';
import { historyOf } from '../../data/history.ts';
import { useLiveOptions } from '../../data/live.tsx';
import { useWorkspace } from '../../data/workspace.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { CopyButton } from '../../ui/forms/copy.tsx';
import { CustomerName, CustomerTitle } from '../../ui/customer-name.tsx';
import { HiddenNote, Personal } from '../../ui/hidden.tsx';
import { Problem } from '../../ui/problem.tsx';
import { ScreenHead, Section } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { wordsOf } from '../../ui/words.ts';
import { Controls } from './controls.tsx';
import { PriorityText, Status, TestMark } from './status.tsx';
import { Timeline } from './timeline.tsx';
import { Transcript } from './transcript.tsx';
import { QueryState } from '../../ui/loading.tsx';

const route = getRouteApi('/w/$workspaceId/interactions/$interactionId');

/** One interaction: what was said, what is known, and what has happened with it. */
export function InteractionScreen() {
  const { interactionId } = route.useParams();
  const { interactions: t } = useTexts();
  const { id, client } = useWorkspace();
  const live = useLiveOptions();
  const { data, error, refetch } = useQuery({
    queryKey: [id, 'interaction', interactionId],
    queryFn: ({ signal }) => client.interactions.get(interactionId, { include: 'details' }, { signal }),
    ...live,
  });
  if (!data) return <QueryState query={{ data, error, refetch }} />;
  return (
    <>
      <ScreenHead
        title={
          <span className="flex flex-wrap items-center gap-3">
            <CustomerLink customerId={data.customerId} className="hover:underline" isTitle />{' '}
            <Status status={data.status} /> <TestMark isTest={data.isTest} />
          </span>
        }
      >
        <Controls interaction={data} />
      </ScreenHead>
      <HiddenNote />
      {error && <Problem error={error} retry={() => void refetch()} />}
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <Section title={t.transcript}>
          <Transcript interaction={data} />
        </Section>
        <div className="grid gap-4">
          <Evaluation interaction={data} />
          <Section title={t.timeline}>
            <Timeline interaction={data} />
          </Section>
          <Facts interaction={data} />
          <Raw interaction={data} />
        </div>
      </div>
    </>
  );
}

interface CustomerLinkProps {
  customerId: string;
  className: string;
  isTitle?: boolean;
}

function CustomerLink({ customerId, className, isTitle = false }: CustomerLinkProps) {
  const name = useCustomerName(customerId);
  const { id: workspaceId } = useWorkspace();
  return (
    <Link
      to="/w/$workspaceId/customers/$customerId"
      params={{ workspaceId, customerId }}
      className={className}
    >
      {isTitle ? <CustomerTitle id={customerId} name={name} /> : <CustomerName id={customerId} />}
    </Link>
  );
}

function Evaluation({ interaction }: { interaction: Interaction }) {
  const { interactions: t } = useTexts();
  const entries = Object.entries(historyOf(interaction)?.evaluation ?? {});
  return (
    <Section title={t.evaluation}>
      {entries.length === 0 ? (
        <p className="p-4 text-quiet">{t.noEvaluation}</p>
      ) : (
        <dl className="grid grid-cols-[auto_1fr] wrap-anywhere gap-x-6 gap-y-2 p-4">
          {entries.map(([key, value]) => (
            <div key={key} className="col-span-2 grid grid-cols-subgrid">
              <dt className="text-quiet" title={key}>
                {wordsOf(key)}
              </dt>
              <dd>
                <Personal text={value} />
              </dd>
            </div>
          ))}
        </dl>
      )}
    </Section>
  );
}

type Fact = [name: string, value: React.ReactNode];

function BotLink({ details: { botId, botVersion } }: { details: InteractionDetails }) {
  const { interactions: t } = useTexts();
  const { id: workspaceId } = useWorkspace();
  const { data: bots = [] } = useBots();
  const name = bots.find(({ id }) => id === botId)?.name ?? botId;
  return (
    <>
      <Link to="/w/$workspaceId/bots/$botId" params={{ workspaceId, botId }} className="link">
        {name}
      </Link>
      {botVersion !== null && ` · ${t.onVersion(botVersion)}`}
    </>
  );
}

function Facts({ interaction }: { interaction: Interaction }) {
  const { interactions: t, common } = useTexts();
  const { can } = useWorkspace();
  const { id, customerId, link, type, priority, createdAt, expiresAt, context, details } = interaction;
  const { availableFrom } = interaction;
  const timeOf = (at: string | null, none = '–'): React.ReactNode =>
    at === null ? none : <Time at={at} isExact />;
  const facts: Fact[] = [
    [t.customer, <CustomerLink key="customer" customerId={customerId} className="link break-all" />],
    details ? [t.bot, <BotLink key="bot" details={details} />] : [t.type, type],
    [t.priority, <PriorityText key="priority" priority={priority} />],
    [t.createdAt, timeOf(createdAt)],
    ...(details
      ? [
          [t.startedAt, timeOf(details.startedAt)] satisfies Fact,
          [t.completedAt, timeOf(details.completedAt)] satisfies Fact,
          [t.updatedAt, timeOf(details.updatedAt)] satisfies Fact,
        ]
      : []),
    ...(availableFrom ? [[t.availableFrom, timeOf(availableFrom)] satisfies Fact] : []),
    ...(details?.reminders ?? []).map(({ number, dueAt }): Fact => [t.reminder(number), timeOf(dueAt)]),
    [t.expiresAt, timeOf(expiresAt, common.never)],
    ...context.map(({ key, value }): Fact => [wordsOf(key), <Personal key={key} text={value} />]),
  ];
  return (
    <Section title={t.details}>
      <dl className="grid grid-cols-[auto_1fr] wrap-anywhere gap-x-6 gap-y-2 p-4">
        {facts.map(([name, value]) => (
          <div key={name} className="col-span-2 grid grid-cols-subgrid">
            <dt className="text-quiet">{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
        <Copied name={t.id} text={id} label={t.copyId} />
        {can('interactions:write') ? (
          <Copied name={t.link} text={link} label={t.copyLink} />
        ) : (
          <Hidden name={t.link} text={link} why={common.missingScope('interactions:write')} />
        )}
      </dl>
    </Section>
  );
}

function Hidden({ name, text, why }: { name: string; text: string; why: string }) {
  return (
    <div className="col-span-2 grid grid-cols-subgrid">
      <dt className="text-quiet">{name}</dt>
      <dd>
        <Personal text={text} why={why} /> <span className="text-xs text-quiet">{why}</span>
      </dd>
    </div>
  );
}

function Copied({ name, text, label }: { name: string; text: string; label: string }) {
  return (
    <div className="col-span-2 grid grid-cols-subgrid items-center">
      <dt className="text-quiet">{name}</dt>
      <dd className="flex min-w-0 items-center gap-1">
        <code className="truncate font-mono text-xs">{text}</code>
        <CopyButton text={text} label={label} />
      </dd>
    </div>
  );
}

/** Folded: the record can be long. */
function Raw({ interaction }: { interaction: Interaction }) {
  const { interactions: t } = useTexts();
  const [isOpen, setOpen] = useState(false);
  const text = (): string =>
    JSON.stringify({ ...interaction, data: historyOf(interaction) ?? interaction.data }, undefined, 2);
  return (
    <details className="card" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="px-4 py-2.5 font-semibold">{t.raw}</summary>
      {isOpen && (
        <pre
          tabIndex={0}
          aria-label={t.raw}
          className="max-h-96 overflow-auto border-t border-line p-4 font-mono text-xs"
        >
          {text()}
        </pre>
      )}
    </details>
  );
}
