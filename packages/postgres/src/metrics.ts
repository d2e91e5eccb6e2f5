import { counter, histogram, observedGauge, observedUpDownCounter } from '@parley/runtime/metrics/metrics';

const poolName = 'db.client.connection.pool.name';
const state = 'db.client.connection.state';
// A process has one pool.
const pool = { [poolName]: 'postgres' };

export const connectionCount = observedUpDownCounter({
  name: 'db.client.connection.count',
  unit: '{connection}',
  description: 'Open connections to the database',
  attributes: [state, poolName],
});

export const connectionMax = observedUpDownCounter({
  name: 'db.client.connection.max',
  unit: '{connection}',
  description: 'Limit of open connections',
  attributes: [poolName],
});

export const pendingRequests = observedUpDownCounter({
  name: 'db.client.connection.pending_requests',
  unit: '{request}',
  description: 'Writes, transactions and scans that wait for a connection',
  attributes: [poolName],
});

export const waitTime = histogram({
  name: 'db.client.connection.wait_time',
  description: 'Time until a write, transaction or scan has a connection',
  attributes: [poolName],
  // As in the semantic conventions.
  boundaries: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10],
});

export const cancelledStatements = counter({
  name: 'parley.postgres.statements.cancelled',
  unit: '{statement}',
  description: 'Statements that were cancelled because their caller gave up',
});

export const failedStatements = counter({
  name: 'parley.postgres.statements.failed',
  unit: '{statement}',
  description: 'Statements that the server lacked resources for, by SQLSTATE of classes 53, 54, 57 and 58',
  attributes: ['db.response.status_code'],
});

export const diskFull = observedGauge({
  name: 'parley.postgres.disk.full',
  unit: '{database}',
  description: '1 while the database has no space for new data, else 0: reads succeed, and writes fail',
});

export interface PoolUsage {
  used: number;
  idle: number;
  pending: number;
  max: number;
}

/** Observes the pool of this process until disposed. */
export function observePool(read: () => PoolUsage): Disposable {
  const stack = new DisposableStack();
  stack.use(
    connectionCount.observe((report) => {
      const { used, idle } = read();
      report(used, { ...pool, [state]: 'used' });
      report(idle, { ...pool, [state]: 'idle' });
    }),
  );
  stack.use(connectionMax.observe((report) => report(read().max, pool)));
  stack.use(pendingRequests.observe((report) => report(read().pending, pool)));
  cancelledStatements.add({}, 0);
  for (const code of ['53100', '58030']) failedStatements.add({ 'db.response.status_code': code }, 0);
  return stack;
}

/** Records how long a caller has waited since `startedAtMs`, in `performance.now()` time. */
export function recordWait(startedAtMs: number): void {
  waitTime.record((performance.now() - startedAtMs) / 1_000, pool);
}
