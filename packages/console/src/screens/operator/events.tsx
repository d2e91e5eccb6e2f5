import type { Deployment } from '@parley/client';
import { useTexts } from '../../texts/texts.tsx';
import { Badge } from '../../ui/badge.tsx';
import { useBytes, useDuration, useNumbers } from '../../ui/time.tsx';
import { FactList, Part, Table } from './part.tsx';

/** How late the event logs, their consumers and the stream are. */
export function Events({ deployment }: { deployment: Deployment }) {
  return (
    <>
      <EventLogs eventLogs={deployment.eventLogs} />
      <Consumers consumers={deployment.consumers} />
      <Stream stream={deployment.stream} />
    </>
  );
}

function EventLogs({ eventLogs }: Pick<Deployment, 'eventLogs'>) {
  const { operator: t } = useTexts();
  const { count } = useNumbers();
  const duration = useDuration();
  const rows = eventLogs.map(({ service, isWell, waiting, oldestAgeSeconds }) => ({
    key: service,
    cells: [
      <Named name={service} isWell={isWell} />,
      count(waiting),
      waiting === 0 ? '–' : duration(oldestAgeSeconds),
    ],
  }));
  return (
    <Part title={t.eventLogs} alert="ParleyEventsUnnumbered">
      <Table label={t.eventLogs} heading={[t.service, t.waiting, t.oldest]} rows={rows} />
    </Part>
  );
}

function Consumers({ consumers }: Pick<Deployment, 'consumers'>) {
  const { operator: t } = useTexts();
  const { count } = useNumbers();
  const duration = useDuration();
  const orDash = (value: number | null) => (value === null ? '–' : count(value));
  const rows = consumers.map(({ durable, isWell, lag, redelivered, putAside, behindSeconds }) => ({
    key: durable,
    cells: [
      <Named name={durable} isWell={isWell} />,
      orDash(lag),
      orDash(redelivered),
      orDash(putAside),
      behindSeconds === null ? '–' : duration(behindSeconds),
    ],
  }));
  const heading = [t.consumer, t.lag, t.redelivered, t.putAside, t.behind];
  return (
    <Part title={t.consumers} alert="ParleyConsumerLagging">
      <Table label={t.consumers} heading={heading} rows={rows} />
    </Part>
  );
}

function Stream({ stream }: Pick<Deployment, 'stream'>) {
  const { operator: t } = useTexts();
  const { count } = useNumbers();
  const bytes = useBytes();
  const facts = stream && [
    [t.replicas, <Share part={stream.replicas.online} total={stream.replicas.set} />] as const,
    [t.leader, stream.leader ?? '–'] as const,
    [t.messages, stream.messages === null ? '–' : count(stream.messages)] as const,
    [t.bytes, stream.bytes === null ? '–' : bytes(stream.bytes)] as const,
  ];
  return (
    <Part title={t.stream} alert="ParleyStreamReplicaMissing">
      {facts ? <FactList facts={facts} /> : <p className="p-4 text-quiet">{t.noAnswer}</p>}
    </Part>
  );
}

/** How many of all are well. */
export function Share({ part, total }: { part: number; total: number }) {
  const { operator: t } = useTexts();
  return <Badge tone={part >= total ? 'good' : 'bad'}>{t.of(part, total)}</Badge>;
}

function Named({ name, isWell }: { name: string; isWell: boolean }) {
  return isWell ? <span className="font-medium">{name}</span> : <Badge tone="bad">{name}</Badge>;
}
