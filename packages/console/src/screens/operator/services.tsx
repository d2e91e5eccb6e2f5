import type { Deployment, DeploymentReplica } from '@parley/client';
import { useTexts } from '../../texts/texts.tsx';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Time } from '../../ui/time.tsx';
import { Part, Table } from './part.tsx';

const tones: Record<DeploymentReplica['state'], Tone> = {
  ready: 'good',
  'not-ready': 'bad',
  silent: 'bad',
  unknown: 'quiet',
};

/** Each replica of each service: its version, and whether it serves. */
export function Services({ services }: Pick<Deployment, 'services'>) {
  const { operator: t } = useTexts();
  const cellsOf = (name: string, replica: DeploymentReplica) => [
    <span className="font-medium">{name}</span>,
    <Replica replica={replica} />,
    <Badge tone={tones[replica.state]}>{t.states[replica.state]}</Badge>,
    replica.version ?? '–',
    <ReplicaSince replica={replica} />,
  ];
  const rows = services.flatMap(({ name, replicas }) => {
    const none = { key: name, cells: [name, '–', <Badge tone="bad">{t.states.silent}</Badge>, '–', '–'] };
    if (replicas.length === 0) return [none];
    return replicas.map((replica) => ({ key: `${name} ${replica.address}`, cells: cellsOf(name, replica) }));
  });
  return (
    <Part title={t.services} alert="ParleyProcessDown">
      <Table label={t.services} heading={[t.service, t.address, t.state, t.version, t.since]} rows={rows} />
      <p className="max-w-none border-t border-line px-4 py-2.5 text-quiet">{t.onlyThis}</p>
    </Part>
  );
}

function Replica({ replica: { address, host } }: { replica: DeploymentReplica }) {
  return (
    <span title={host ?? undefined} className="font-mono text-xs">
      {address}
    </span>
  );
}

function ReplicaSince({ replica: { startedAt, silentSince } }: { replica: DeploymentReplica }) {
  const { operator: t } = useTexts();
  if (silentSince !== null)
    return (
      <span className="text-bad">
        {t.silentSince} <Time at={silentSince} isExact isTime />
      </span>
    );
  return startedAt === null ? '–' : <Time at={startedAt} />;
}
