import { deploymentOf } from '@parley/deployment/deployment';
import { alertLimits, certificateLimit, otherAlerts } from '@parley/deployment/limits';
import { expect, test } from 'vitest';
import { causes, platformLimits } from '../../../deploy/observability/rules/causes.ts';
import { processLimits } from '../../../deploy/observability/rules/process-causes.ts';
import { burnRates, sloSeconds } from '../../../deploy/observability/rules/slos.ts';
import { alertDocuments } from '../../documents/alerts.ts';
import { documentAt } from '../../documents/all.ts';

// The screen of operators, the rules of Prometheus and the runbooks have one source of limits.

const paths = alertDocuments.map(([path]) => path);
const now = new Date('2026-11-21T09:30:00Z');

/** Returns the kinds of documents that become others while `object` has another value. */
async function changedBy<Key extends string>(
  object: Readonly<Record<Key, number>>,
  key: Key,
): Promise<string[]> {
  const mutable: Record<Key, number> = object;
  const before = await Promise.all(paths.map(documentAt));
  const value = mutable[key];
  try {
    mutable[key] = value * 2 + 1;
    const after = await Promise.all(paths.map(documentAt));
    const changed = paths.filter((_, index) => before[index] !== after[index]);
    return [...new Set(changed.map((path) => path.split('/')[2] ?? ''))].toSorted();
  } finally {
    mutable[key] = value;
  }
}

/** Returns the alerts of the screen for a value of a metric. */
function shownAt(metric: string, value: number): string[] {
  const states = metric === alertLimits.streamOnline.metric ? ['set', 'configured', 'online'] : [''];
  const readings = [
    ...states.map((state) => ({ metric, value, attributes: { durable: 'x', source: 'x', state } })),
    { metric: 'parley.webhook.shards', value: 256, attributes: {} },
  ];
  const state = { version: '0.3.0', startedAt: now, host: 'h', isReady: true, readings };
  const replica = { address: 'a', state, isAnswering: true, unreachableSince: undefined };
  const answers = new Map([['webhook', [replica]]]);
  return deploymentOf(answers, { now, leader: null }).problems.map(({ alert }) => alert);
}

const amounts = Object.values(alertLimits).filter(
  ({ comparison, metric }) => comparison === '>' && metric !== alertLimits.diskFull.metric,
);

test.each(amounts)('a changed limit of $metric changes rules, runbook and screen', async (limit) => {
  const { alert, metric, value } = limit;
  expect([shownAt(metric, value), shownAt(metric, value + 1)]).toEqual([[], [alert]]);
  const mutable: { value: number } = limit;
  try {
    mutable.value = value + 1;
    expect(shownAt(metric, value + 1)).toEqual([]);
  } finally {
    mutable.value = value;
  }
  expect(await changedBy(limit, 'value')).toEqual(['rules', 'runbooks']);
});

test('a changed limit of certificates changes rules, runbook and screen', async () => {
  const expiration = now.getTime() / 1_000 + certificateLimit.value;
  const { alert, metric } = certificateLimit;
  expect([shownAt(metric, expiration), shownAt(metric, expiration - 1)]).toEqual([[], [alert]]);
  expect(await changedBy(certificateLimit, 'value')).toEqual(['rules', 'runbooks']);
});

test.each([
  alertLimits.diskFull,
  ...Object.values(alertLimits).filter(({ comparison }) => comparison === '=='),
])('the rule of $metric is what the screen judges by', ({ alert, metric, comparison, value }) => {
  const expressions = Object.values(causes())
    .flat()
    .flatMap((cause) => (cause.alert === alert ? cause.expr : []));
  const name = metric.replaceAll('.', '_');
  const pattern = new RegExp(`${name}(?:\\{[^}]*\\})?\\)? ${comparison} ${value}$`);
  expect(expressions).toContainEqual(expect.stringMatching(pattern));
  expect(shownAt(metric, comparison === '>' ? value + 1 : value)).toEqual([alert]);
});

test.each<[string, Record<string, number>]>([
  ['processes', processLimits],
  ['platform', platformLimits],
])('each limit of %s is in the rules and in a runbook', async (_, limits) => {
  for (const name of Object.keys(limits)) {
    expect(await changedBy(limits, name), name).toEqual(['rules', 'runbooks']);
  }
});

test('the objectives are in the rules, in slos.md and in runbooks', async () => {
  for (const name of ['apiLatency', 'conversationTurn', 'firstAttempt'] as const)
    expect(await changedBy(sloSeconds, name), name).toEqual(['rules', 'runbooks', 'slos.md']);
  for (const burnRate of burnRates) {
    const { rate, long } = burnRate;
    expect(await changedBy<'rate'>(burnRate, 'rate'), `${rate} over ${long}`).toEqual([
      'rules',
      'runbooks',
      'slos.md',
    ]);
  }
});

test('each problem has an alert', () => {
  const limits = [...Object.values(alertLimits), certificateLimit].map(({ alert }) => alert);
  const declared = Object.values(causes())
    .flat()
    .map(({ alert }) => alert);
  expect(declared).toEqual(expect.arrayContaining([...limits, ...Object.values(otherAlerts)]));
});
