import type { Deployment } from '@parley/client';
import { useTexts } from '../../texts/texts.tsx';
import { Time, useDuration, useNumbers } from '../../ui/time.tsx';
import { Share } from './events.tsx';
import { Facts, Part, Table } from './part.tsx';

/** How late deliveries are, and whether replicas can send. */
export function Deliveries({ deliveries }: Pick<Deployment, 'deliveries'>) {
  const { operator: t } = useTexts();
  const { count } = useNumbers();
  const duration = useDuration();
  const { oldestDueAgeSeconds, openBreakers, paused, egress } = deliveries;
  const up = egress.filter(({ isUp }) => isUp).length;
  const facts = [
    [t.oldestDue, oldestDueAgeSeconds === null ? '–' : duration(oldestDueAgeSeconds)] as const,
    [t.breakers, openBreakers === null ? '–' : count(openBreakers)] as const,
    [t.paused, paused === null ? '–' : count(paused)] as const,
    [t.egress, egress.length === 0 ? '–' : <Share part={up} total={egress.length} />] as const,
  ];
  return (
    <Part title={t.deliveries} alert="ParleyEgressDown">
      <Facts facts={facts} />
    </Part>
  );
}

export function Shards({ shards }: Pick<Deployment, 'shards'>) {
  const { operator: t } = useTexts();
  const rows = shards.owners.map(({ address, shards: owned, since }) => ({
    key: address,
    cells: [
      <span className="font-mono text-xs">{address}</span>,
      t.of(owned, shards.total),
      since === null ? '–' : <Time at={since} isExact />,
    ],
  }));
  return (
    <Part title={t.shards} alert="ParleyDeliveriesLate">
      <Table label={t.shards} heading={[t.address, t.shardsOwned, t.since]} rows={rows} />
    </Part>
  );
}

export function Figures({ figures }: Pick<Deployment, 'figures'>) {
  const { operator: t } = useTexts();
  const duration = useDuration();
  return (
    <Part title={t.figures} alert="ParleyFiguresOld">
      {figures ? (
        <Facts facts={[[t.figuresAge, duration(figures.asOfAgeSeconds)]]} />
      ) : (
        <p className="p-4 text-quiet">{t.noAnswer}</p>
      )}
    </Part>
  );
}
