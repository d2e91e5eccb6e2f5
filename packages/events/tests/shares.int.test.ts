import { randomUUID } from 'node:crypto';
import { unavailable } from '@parley/runtime/errors';
import { eventually } from '@parley/testing/eventually';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { shareEventsMax } from '@parley/events/shares';
import { arrived, event, events, type Pipeline, startPipeline } from './pipeline.ts';

// What the events of one workspace take of the time delays that workspace, and others by about two seconds.

/** Far more than two seconds, because the machine may be busy, and far less than the handler takes. */
const othersMsMax = 20_000;

/** Something on which a handler hangs until it is released. */
interface Obstacle extends AsyncDisposable {
  hang(): Promise<unknown>;
  release(): Promise<unknown>;
}

/** A promise: the handler does not notice that it has taken too long. */
async function promise(): Promise<Obstacle> {
  const { promise: hanging, resolve } = Promise.withResolvers<void>();
  return {
    hang: () => hanging,
    release: async () => resolve(),
    [Symbol.asyncDispose]: async () => resolve(),
  };
}

/** A lock, for which a statement waits without a limit. */
async function lock({ consumers, consumerAdmin }: Pipeline): Promise<Obstacle> {
  await consumerAdmin.query('select pg_advisory_lock(1)');
  const release = () => consumerAdmin.query('select pg_advisory_unlock_all()');
  return {
    hang: () =>
      consumers.transaction().execute(async (trx) => {
        await sql`set local statement_timeout = 0`.execute(trx);
        await sql`select pg_advisory_xact_lock(1)`.execute(trx);
      }),
    release,
    [Symbol.asyncDispose]: async () => void (await release()),
  };
}

test.each([
  ['without noticing', promise],
  ['in the database', lock],
])(
  'workspaces whose events hang %s delay no batch and no share of others, and have theirs later, in order',
  async (_, startObstacle) => {
    await using system = await startPipeline();
    await using obstacle = await startObstacle(system);
    const relay = system.startRelay();
    await system.startConsumer({ from: 'beginning' });
    await system.listening('test');
    const hanging = Array.from({ length: 3 }, () => {
      const workspaceId = randomUUID();
      return events(4).map((one) => ({ ...one, workspaceId }));
    });
    const isHanging = new Set(hanging.flat().map(({ interactionId }) => interactionId));
    const costly = new Set<string>();
    system.onBatch = async (ids, _durable, isShare) => {
      if (ids.some((id) => isHanging.has(id))) await obstacle.hang();
      return isShare ? [] : ids.filter((id) => costly.has(id));
    };
    const all: ReturnType<typeof events> = [];
    // All of them hang at once, and then there are newer events behind them.
    for (const at of [0, 2]) {
      const others = events(20);
      for (const { interactionId } of others.slice(0, 10)) costly.add(interactionId);
      all.push(...others);
      const startedAtMs = performance.now();
      await system.raise([...hanging.flatMap((own) => own.slice(at, at + 2)), ...others]);
      relay.wake();
      await arrived(system, all);
      expect(performance.now() - startedAtMs).toBeLessThan(othersMsMax);
    }
    await obstacle.release();
    await arrived(system, [...all, ...hanging.flat()]);
    for (const own of hanging) {
      const ids = own.map(({ interactionId }) => interactionId);
      expect(system.handled().filter((id) => ids.includes(id))).toEqual(ids);
    }
  },
);

/** Events of one workspace. */
function crowd(count: number): ReturnType<typeof events> {
  const workspaceId = randomUUID();
  return events(count).map((one) => ({ ...one, workspaceId }));
}

test('very many late events of a workspace delay no event of another, and come once and in order', async () => {
  await using system = await startPipeline();
  await using obstacle = await promise();
  const many = crowd(600);
  const others = events(6);
  const mixed = others.flatMap((other, at) => {
    const part = many.slice(100 * at, 100 * (at + 1));
    return [...part.slice(0, 10), other, ...part.slice(10)];
  });
  system.onBatch = async (_ids, _durable, isShare) => void (isShare && (await obstacle.hang()));
  await system.raise(mixed);
  await system.age();
  await system.startConsumer({ from: 'beginning' });
  await system.listening('test');
  system.startRelay();
  const ids = others.map(({ interactionId }) => interactionId);
  await eventually(() => expect(system.handled()).toEqual(expect.arrayContaining(ids)));
  // The first batch may have no other events.
  expect(system.handled().length).toBeLessThan(many.length / 2);
  await obstacle.release();
  await arrived(system, mixed);
  const own = many.map(({ interactionId }) => interactionId);
  expect(system.handled().filter((id) => !ids.includes(id))).toEqual(own);
});

test('late events of a workspace that delays nobody wait for no share', async () => {
  await using system = await startPipeline();
  const many = crowd(300);
  let shares = 0;
  system.onBatch = (_ids, _durable, isShare) => void (isShare && (shares += 1));
  await system.raise(many);
  await system.age();
  await system.startConsumer({ from: 'beginning' });
  await system.listening('test');
  system.startRelay();
  await arrived(system, many);
  expect(shares).toBe(0);
});

test('a workspace whose events take too long once does not wait behind others whose events hang', async () => {
  await using system = await startPipeline();
  await using obstacle = await promise();
  const relay = system.startRelay();
  await system.startConsumer({ from: 'beginning' });
  await system.listening('test');
  const hanging = events(4);
  const late: ReturnType<typeof events> = [];
  const among = (ids: string[], some: typeof late) =>
    some.some(({ interactionId }) => ids.includes(interactionId));
  system.onBatch = async (ids, _durable, isShare) => {
    if (among(ids, hanging) || (!isShare && among(ids, late))) await obstacle.hang();
  };
  // At once, and after the others.
  for (const some of [hanging, []]) {
    const startedAtMs = performance.now();
    const [next = event()] = events(1);
    late.push(next);
    await system.raise([...some, next]);
    relay.wake();
    await arrived(system, late);
    expect(performance.now() - startedAtMs).toBeLessThan(othersMsMax);
  }
});

test('an event that hangs for longer than a minute is put aside, and then the next of its workspace has its turn', async () => {
  await using system = await startPipeline();
  await using obstacle = await promise();
  const relay = system.startRelay();
  await system.startConsumer({ from: 'beginning' });
  await system.listening('test');
  const { workspaceId, ...bad } = event();
  const next = { ...event(), workspaceId };
  system.onBatch = async (ids) => {
    if (ids.includes(bad.interactionId)) await obstacle.hang();
  };
  await system.raise([{ ...bad, workspaceId }]);
  relay.wake();
  const aside = () => system.consumerAdmin.query('select tries from webhook.event_put_aside');
  await eventually(async () => expect(await aside()).toEqual([{ tries: 0 }]));
  await system.raise([next]);
  relay.wake();
  await eventually(async () => expect(await aside()).toHaveLength(2));
  await system.consumerAdmin.query(
    `update webhook.event_put_aside set due_at = now() - interval '2 minutes'`,
  );
  await arrived(system, [next]);
  expect(await aside()).toEqual([{ tries: 1 }]);
});

test.each([
  ['hangs', () => new Promise<void>(() => {})],
  ['is unavailable', () => Promise.reject(unavailable(undefined, 'The dependency is unavailable'))],
])('no later event overtakes those of a share whose dependency %s', async (_, fail) => {
  await using system = await startPipeline();
  const relay = system.startRelay();
  const workspaceId = randomUUID();
  // More than two shares have.
  const all = events(2.5 * shareEventsMax.usual).map((one) => ({ ...one, workspaceId }));
  let failures = 3;
  system.onBatch = async (ids, _durable, isShare) => {
    if (!isShare) return ids;
    if (failures > 0 && ids.includes(all[0]?.interactionId ?? '')) {
      failures -= 1;
      await fail();
    }
    return [];
  };
  await system.startConsumer({ from: 'beginning' });
  await system.listening('test');
  await system.raise(all);
  relay.wake();
  await arrived(system, all);
  expect(system.handled()).toEqual(all.map(({ interactionId }) => interactionId));
});
