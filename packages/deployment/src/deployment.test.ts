import { expect, test } from 'vitest';
import { deploymentOf } from './deployment.ts';
import type { AnsweredReplica } from './readings.ts';
import type { Deployment } from './resource.ts';

const now = new Date('2026-11-21T09:30:00Z');

type Values = [metric: string, value: number, attributes?: Record<string, string>][];

function replica(address: string, values: Values = [], isReady = true): AnsweredReplica {
  const readings = values.map(([metric, value, attributes = {}]) => ({ metric, value, attributes }));
  const state = { version: '0.3.0', startedAt: now, host: 'h', isReady, readings };
  return { address, state, isAnswering: true, unreachableSince: undefined };
}

const silent: AnsweredReplica = { address: 'b', state: undefined, isAnswering: false, unreachableSince: now };
const older: AnsweredReplica = {
  address: 'b',
  state: undefined,
  isAnswering: true,
  unreachableSince: undefined,
};

/** The state with these replicas of the webhook service, which own all shards. */
function stateOf(replicas: AnsweredReplica[], others: [string, AnsweredReplica[]][] = []): Deployment {
  return deploymentOf(new Map([['webhook', replicas], ...others]), { now, leader: null });
}

const all: Values[number] = ['parley.webhook.shards', 256];
const alertsOf = ({ problems }: Deployment) =>
  problems.map(({ part, subject, alert }) => [part, subject, alert]);

test('without a reading beyond a limit, everything is well', () => {
  const state = stateOf([replica('a', [all, ['parley.consumer.lag', 1_000, { durable: 'webhook' }]])]);
  expect([state.isWell, state.problems]).toEqual([true, []]);
  expect(state.consumers).toMatchObject([{ durable: 'webhook', isWell: true, lag: 1_000 }]);
});

test.each<[Values[number], string[]]>([
  [
    ['parley.clock.ahead', -5.1],
    ['services', 'webhook a', 'ParleyClockDiffers'],
  ],
  [
    ['parley.rpc.clock.ahead', 31],
    ['services', 'webhook a', 'ParleyClockDiffers'],
  ],
  [
    ['parley.postgres.disk.full', 1],
    ['services', 'webhook a', 'ParleyDatabaseDiskFull'],
  ],
  [
    ['parley.rpc.peers.refusing', 1],
    ['services', 'webhook a', 'ParleyPeersRefuse'],
  ],
  [
    ['parley.nats.connected', 0],
    ['services', 'webhook a', 'ParleyNatsDisconnected'],
  ],
  [
    ['parley.rpc.certificate.expiration', now.getTime() / 1_000 + 13 * 86_400],
    ['services', 'webhook a', 'ParleyRpcCertificateExpiring'],
  ],
  [
    ['parley.events.unnumbered.age', 61, { source: 'webhook' }],
    ['eventLogs', 'webhook', 'ParleyEventsUnnumbered'],
  ],
  [
    ['parley.consumer.lag', 1_001, { durable: 'x' }],
    ['consumers', 'x', 'ParleyConsumerLagging'],
  ],
  [
    ['parley.consumer.cursor.age', 61, { durable: 'x' }],
    ['consumers', 'x', 'ParleyConsumerBehind'],
  ],
  [
    ['parley.consumer.put.aside', 1, { durable: 'x' }],
    ['consumers', 'x', 'ParleyEventsPutAside'],
  ],
  [
    ['parley.consumer.waiting.age', 301, { durable: 'x' }],
    ['consumers', 'x', 'ParleyEventsDelayed'],
  ],
  [
    ['parley.webhook.oldest_due.age', 61],
    ['deliveries', '', 'ParleyDeliveriesLate'],
  ],
  [
    ['parley.webhook.egress.up', 0],
    ['deliveries', 'webhook a', 'ParleyEgressDown'],
  ],
  [
    ['parley.insight.as_of.age', 121],
    ['figures', '', 'ParleyFiguresOld'],
  ],
])('%s is not well', (value, expected) => {
  const state = stateOf([replica('a', [all, value])]);
  expect(alertsOf(state)).toEqual([expected]);
  expect(state.isWell).toBe(false);
  expect(state.services[0]?.isWell).toBe(expected[0] !== 'services');
});

test('a replica that does not answer, has no database, or is of an earlier release', () => {
  const half: Values = [['parley.webhook.shards', 128]];
  const down = stateOf([replica('a', half), silent]);
  expect(alertsOf(down)).toEqual([
    ['services', 'webhook b', 'ParleyProcessDown'],
    ['shards', '', 'ParleyDeliveriesLate'],
  ]);
  expect(down.services[0]?.replicas).toMatchObject([
    { state: 'ready', version: '0.3.0', silentSince: null },
    { state: 'silent', version: null, silentSince: now },
  ]);
  expect(alertsOf(stateOf([replica('a', [all], false)]))).toEqual([
    ['services', 'webhook a', 'ParleyProcessDown'],
  ]);
  const mixed = stateOf([replica('a', half), older]);
  expect([mixed.isWell, mixed.shards.unowned]).toEqual([true, null]);
  expect(mixed.services[0]).toMatchObject({ versions: ['0.3.0'], replicas: [{}, { state: 'unknown' }] });
});

test('a service without an answer is absent', () => {
  for (const replicas of [[], [{ ...silent, address: 'i' }]]) {
    const state = stateOf([replica('a', [all])], [['identity', replicas]]);
    expect(alertsOf(state)).toEqual([['services', 'identity', 'ParleyServiceAbsent']]);
  }
});

test('the stream lacks a replica, or a quorum', () => {
  const withOnline = (online: number) =>
    stateOf([
      replica(
        'a',
        [all].concat(
          Object.entries({ set: 3, configured: 3, online }).map(([name, value]): Values[number] => [
            'parley.stream.replicas',
            value,
            { state: name },
          ]),
        ),
      ),
    ]);
  expect(withOnline(3)).toMatchObject({ isWell: true, stream: { isWell: true, name: 'PARLEY_EVENTS' } });
  expect(alertsOf(withOnline(2))).toEqual([['stream', '', 'ParleyStreamReplicaMissing']]);
  expect(alertsOf(withOnline(0))).toEqual([['stream', '', 'ParleyStreamOffline']]);
});

test('values of several replicas: the highest, the sum, or the lowest', () => {
  const state = stateOf([
    replica('a', [
      ['parley.webhook.shards', 100],
      ['parley.webhook.breakers.open', 1],
      ['parley.webhook.oldest_due.age', 3],
      ['parley.insight.as_of.age', 500],
    ]),
    replica('b', [
      ['parley.webhook.shards', 156],
      ['parley.webhook.breakers.open', 2],
      ['parley.webhook.oldest_due.age', 7],
      ['parley.insight.as_of.age', 1],
    ]),
  ]);
  expect(state).toMatchObject({
    isWell: true,
    shards: { unowned: 0 },
    deliveries: { openBreakers: 3, oldestDueAgeSeconds: 7 },
    figures: { asOfAgeSeconds: 1 },
  });
});
