import type { CreationResult } from '@parley/contracts/interaction/v1/interaction';
import { eventually } from '@parley/testing/eventually';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { notice, survey } from './definitions.ts';
import {
  call,
  idempotencyKey,
  type Interactions,
  startInteractions,
  type Workspace,
  workspaceOf,
} from './fixture.ts';

let system: Interactions;
beforeAll(async () => {
  system = await startInteractions();
});
afterAll(() => system[Symbol.asyncDispose]());

let workspace: Workspace;
let botId: string;
beforeEach(async () => {
  workspace = workspaceOf(system);
  botId = await workspace.publish(survey);
});

const idsOf = (results: readonly CreationResult[]) => results.map(({ interaction }) => interaction?.id ?? '');

describe.each([
  ['without a key', () => null],
  ['with an Idempotency-Key', () => idempotencyKey(uuidv7())],
])('creating several interactions %s', (_, newKey) => {
  it('returns a result for each, in order, as they can be read', async () => {
    const items = Array.from({ length: 130 }, (_, n) => ({
      botId,
      customerId: `c${n % 50}`,
      status: 'Pending' as const,
      context: { product: `p${n}` },
    }));
    const { results, replayed } = await workspace.createAll(items, newKey());
    expect(replayed).toBe(false);
    expect(results.map(({ interaction }) => interaction?.context[0]?.value)).toEqual(
      items.map(({ context }) => context.product),
    );
    expect(idsOf(results)).toEqual(idsOf(results).toSorted());
    const { total } = await workspace.list();
    expect(total).toBe(130);
    for (const { interaction } of results.slice(-3)) {
      expect(await workspace.get(interaction?.id ?? '')).toEqual(interaction);
    }
  });

  it('rejects an item as the single call does, without harm to the others, and creates no customer for it', async () => {
    const foreign = await workspaceOf(system).publish(survey);
    const unborn = uuidv7();
    const bad = [
      { botId: foreign, customerId: unborn },
      { botId, customerId: unborn, context: { colour: 'red' }, expirySeconds: -1 },
      { botId: 'not-a-uuid', customerId: unborn },
      { botKey: 'unknown', customerId: unborn },
    ];
    const { results } = await workspace.createAll([{ botId }, ...bad, { botId }], newKey());
    for (const [index, item] of bad.entries()) {
      const alone: unknown = await workspace.create(item).catch((error: unknown) => error);
      const { code, type, message: detail, faults } = alone as Error & Record<string, unknown>;
      expect(results[index + 1]).toEqual({
        interaction: null,
        error: { code, type, detail, faults, retryAt: null },
      });
    }
    expect(results[0]?.interaction?.customerId).toBe('ada');
    expect(results[5]?.interaction?.customerId).toBe('ada');
    expect(system.ensured).not.toContain(unborn);
    expect((await workspace.list()).total).toBe(2);
  });

  it('starts conversations with the details that each item sets, and raises all events', async () => {
    const customerId = uuidv7();
    const item = { botId, customerId, status: 'InProgress' as const, context: { product: 'Tea' } };
    const ends = await workspace.publish(notice);
    const { results } = await workspace.createAll(
      [
        { ...item, customer: { firstName: 'Ada' } },
        { ...item, customer: { firstName: 'Grace' } },
        { botId: ends, customerId, status: 'InProgress' },
        { botId, customerId, status: 'Completed' },
      ],
      newKey(),
    );
    expect(results[0]?.interaction?.data).toContain('Hi Ada!');
    expect(results[1]?.interaction?.data).toContain('Hi Grace!');
    const [first = '', , third] = idsOf(results);
    expect(await workspace.raised(first)).toEqual(['created', 'started']);
    expect(await workspace.raised(third)).toEqual(['created', 'started', 'completed']);
    expect(await workspace.raised()).toHaveLength(7);
  });
});

describe('an Idempotency-Key of several', () => {
  it('creates them once for twenty concurrent calls, and replays interactions and errors', async () => {
    const key = idempotencyKey(uuidv7());
    const items = [{ botId, customerId: 'a' }, { botId: uuidv7() }, { botId, customerId: 'b' }];
    const answers = await Promise.all(Array.from({ length: 20 }, () => workspace.createAll(items, key)));
    expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1);
    for (const { results } of answers) expect(results).toEqual(answers[0]?.results);
    expect((await workspace.list()).total).toBe(2);
    await expect(
      workspace.createAll(items, { ...key, fingerprint: Buffer.from('other') }),
    ).rejects.toMatchObject({
      type: 'idempotency-key-reused',
    });
  });

  it('is replayed without the details of a customer that was anonymised since', async () => {
    const { workspaceId } = workspace;
    const [customerId, key] = [uuidv7(), idempotencyKey(uuidv7())];
    const item = { botId, status: 'InProgress' as const };
    const items = [
      { ...item, customerId, customer: { firstName: 'Zebulon' } },
      { ...item, customerId: uuidv7(), customer: { firstName: 'Zebulon' } },
    ];
    const before = await workspace.createAll(items, key);
    await system.interactions.redactCustomer(
      { workspaceId, customerId, details: ['Zebulon'], pageToken: '', customerVersion: 2 },
      call,
    );
    const after = await workspace.createAll(items, key);
    expect(after.replayed).toBe(true);
    expect(idsOf(after.results)).toEqual(idsOf(before.results));
    expect(after.results[0]?.interaction?.data).not.toContain('Zebulon');
    expect(after.results[1]).toEqual(before.results[1]);
  });
});

it('reads a customer again that is anonymised before the interactions are written', async () => {
  for (const key of [null, idempotencyKey(uuidv7())]) {
    const [customerId, { workspaceId }] = [uuidv7(), workspace];
    system.people.set(customerId, { firstName: 'Zebulon' });
    const { promise, resolve } = Promise.withResolvers<void>();
    system.keptBack.set(customerId, promise);
    const item = { botId, status: 'InProgress' as const };
    const created = workspace.createAll(
      [
        { ...item, customerId },
        { ...item, customerId: 'other' },
      ],
      key,
    );
    await eventually(() => expect(system.ensured).toContain(customerId));
    system.people.set(customerId, { version: 2 });
    await system.interactions.redactCustomer(
      { workspaceId, customerId, details: ['Zebulon'], pageToken: '', customerVersion: 2 },
      call,
    );
    resolve();
    const { results } = await created;
    expect(results.map(({ error }) => error)).toEqual([null, null]);
    expect(results[0]?.interaction?.data).not.toContain('Zebulon');
    expect((await workspace.list({ customerId: 'other' })).total).toBeGreaterThan(0);
    expect((await workspace.list({ customerId })).total).toBe(1);
  }
});

it('stores no answer while a customer is being anonymised: a retry with the same key can succeed', async () => {
  const [customerId, { workspaceId }] = [uuidv7(), workspace];
  await system.interactions.redactCustomer(
    { workspaceId, customerId, details: [], pageToken: '', customerVersion: 2 },
    call,
  );
  const items = [
    { botId, customerId },
    { botId, customerId: uuidv7() },
  ];
  const { results } = await workspace.createAll(items);
  expect(results.map(({ error }) => error?.code)).toEqual(['unavailable', undefined]);
  const key = idempotencyKey(uuidv7());
  await expect(workspace.createAll(items, key)).rejects.toMatchObject({ code: 'unavailable' });
  system.people.set(customerId, { version: 2 });
  const retried = await workspace.createAll(items, key);
  expect([retried.replayed, ...retried.results.map(({ error }) => error)]).toEqual([false, null, null]);
});

it('begins conversations of limited size in one call: items beyond it are rejected, and have no effect', async () => {
  const say = Array.from({ length: 15 }, (_, n) => ({ id: `s${n}`, kind: 'say', text: 'x'.repeat(4_000) }));
  const large = await workspace.publish({ ...notice, key: 'large', steps: [...say, ...notice.steps] });
  const items = Array.from({ length: 100 }, (_, n) => ({
    botId: n === 99 ? botId : large,
    status: n === 99 ? ('Pending' as const) : ('InProgress' as const),
  }));
  const { results } = await workspace.createAll(items, idempotencyKey(uuidv7()));
  const types = results.map(({ error }) => error?.type);
  const made = types.indexOf('conversations-too-large');
  expect(made).toBeGreaterThan(10);
  expect(made).toBeLessThan(90);
  expect(types.slice(made, -1)).toEqual(types.slice(made, -1).map(() => 'conversations-too-large'));
  expect(types.at(-1)).toBeUndefined();
  expect((await workspace.list()).total).toBe(made + 1);
});
