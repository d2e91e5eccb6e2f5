import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { notice, survey } from './definitions.ts';
import {
  call,
  idempotencyKey,
  type Interactions,
  nothingMore,
  startInteractions,
  workspaceOf,
  type Workspace,
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

describe('creating an interaction', () => {
  it('has the defaults of the seed, the type of the bot and a link', async () => {
    const made = await workspace.create({ botId });
    expect(made).toMatchObject({
      status: 'Draft',
      priority: 'Medium',
      customerId: 'ada',
      type: 'NPS',
      typeLabel: 'Net Promoter Score',
      expiresAt: null,
      context: [],
      version: 1,
    });
    expect(made.data).toBeNull();
    expect(made.linkToken).toMatch(/^[0-9A-Za-z]{40,}$/);
    expect(await workspace.get(made.id)).toEqual(made);
  });

  it('creates the customer in the same call, with any id', async () => {
    for (const customerId of [uuidv7(), 'a/b c?d#e%', 'Ünïcödé 🦊', 'o"brien\\', "';--"]) {
      const made = await workspace.create({ botId, customerId });
      expect(system.ensured).toContain(customerId);
      expect((await workspace.get(made.id)).customerId).toBe(customerId);
    }
  });

  it('creates 20 concurrent ones for one new customer', async () => {
    const customerId = uuidv7();
    const made = await Promise.all(Array.from({ length: 20 }, () => workspace.create({ botId, customerId })));
    expect(new Set(made.map((interaction) => interaction.id)).size).toBe(20);
    expect((await workspace.list({ customerId })).total).toBe(20);
  });

  it.each(['Draft', 'Pending', 'Completed', 'Expired'] as const)(
    'imports %s without a conversation, and with an event if it is open',
    async (status) => {
      const made = await workspace.create({ botId, status, priority: 'High' });
      expect(made).toMatchObject({ status, priority: 'High' });
      expect(made.data).toBeNull();
      expect(await workspace.raised()).toEqual(status === 'Draft' || status === 'Pending' ? ['created'] : []);
    },
  );

  it('starts the conversation of an InProgress one, with the customer’s details', async () => {
    system.people.set('grace', { firstName: 'Grace', lastName: 'Hopper', email: 'grace@example.com' });
    const made = await workspace.create({
      botId,
      customerId: 'grace',
      status: 'InProgress',
      context: { product: 'Compiler' },
    });
    expect(made.status).toBe('InProgress');
    const data = JSON.parse(made.data ?? '') as { transcript: { body: string }[] };
    expect(data).toMatchObject({ customer_id: 'grace', interaction_id: made.id, evaluation: {} });
    expect(data.transcript.map((entry) => entry.body)).toEqual([
      'Hi Grace! This is about Compiler.',
      'How likely are you to recommend it?',
    ]);
    expect(await workspace.raised()).toEqual(['created', 'started']);
  });

  it('completes one whose bot ends at once, with all its events', async () => {
    const made = await workspace.create({ botId: await workspace.publish(notice), status: 'InProgress' });
    expect(made.status).toBe('Completed');
    expect(await workspace.raised(made.id)).toEqual(['created', 'started', 'completed']);
  });

  it('expires the given seconds after its creation', async () => {
    for (const expirySeconds of [60, 0.25, 315_000_000]) {
      const made = await workspace.create({ botId, expirySeconds });
      expect((made.expiresAt?.getTime() ?? 0) - (made.createdAt?.getTime() ?? 0)).toBe(expirySeconds * 1_000);
    }
    expect((await workspace.create({ botId, expirySeconds: 0 })).expiresAt).toBeNull();
  });

  it('stores the given context, and rejects keys that the bot does not declare', async () => {
    const context = { plan: 'gold', product: '' };
    expect((await workspace.create({ botId, context })).context).toEqual([
      { key: 'plan', value: 'gold' },
      { key: 'product', value: '' },
    ]);
    await expect(
      workspace.create({ botId, context: { colour: 'red' }, expirySeconds: -1 }),
    ).rejects.toMatchObject({
      code: 'invalid_argument',
      faults: [
        { pointer: '/expiry' },
        { pointer: '/context/0/key', detail: 'Must be one of: product, plan' },
      ],
    });
  });

  it('accepts any characters of a context value except NUL', async () => {
    const product = 'a\u0001b "quoted" \\ \u{1F98A} \u2028';
    const made = await workspace.create({ botId, context: { product }, status: 'InProgress' });
    expect((await workspace.get(made.id)).context).toEqual([{ key: 'product', value: product }]);
  });

  it('rejects an unknown bot and another workspace’s, and then creates no customer', async () => {
    const foreign = await workspaceOf(system).publish(survey);
    for (const unknown of [uuidv7(), 'not-a-uuid', '', foreign]) {
      const customerId = uuidv7();
      await expect(workspace.create({ botId: unknown, customerId })).rejects.toMatchObject({
        code: 'invalid_argument',
        faults: [{ pointer: '/botId' }],
      });
      expect(system.ensured).not.toContain(customerId);
    }
  });

  it('accepts the key of a bot instead of its id, also for a replay, and only in this workspace', async () => {
    const byKey = { botId: '', botKey: survey.key, idempotency: idempotencyKey('a') };
    const first = await workspace.tryCreate(byKey);
    expect(first.interaction).toMatchObject({ type: 'NPS', status: 'Draft' });
    expect((await workspace.list({ botId })).total).toBe(1);
    expect(await workspace.tryCreate(byKey)).toEqual({ ...first, replayed: true });
    await workspaceOf(system).publish(notice);
    for (const botKey of [notice.key, '']) {
      const customerId = uuidv7();
      const refused = workspace.create({ botId: '', botKey, customerId });
      await expect(refused).rejects.toMatchObject({
        code: 'invalid_argument',
        faults: [{ pointer: '/botKey', detail: 'There is no such bot' }],
      });
      expect(system.ensured).not.toContain(customerId);
    }
    await expect(workspace.create({ botId, botKey: survey.key })).rejects.toMatchObject({
      faults: [{ pointer: '/botKey' }],
    });
  });
});

describe('an Idempotency-Key', () => {
  it('gets the first answer again, although the interaction has changed', async () => {
    const request = { botId, idempotency: idempotencyKey('a') };
    const first = await workspace.tryCreate(request);
    await workspace.update(first.interaction?.id ?? '', { status: 'Pending' });
    const again = await workspace.tryCreate(request);
    expect(again).toEqual({ interaction: first.interaction, replayed: true });
    expect((await workspace.list()).total).toBe(1);
  });

  it('is rejected with another body', async () => {
    const idempotency = idempotencyKey('a');
    await workspace.tryCreate({ botId, idempotency });
    const other = { ...idempotencyKey('b'), scope: idempotency.scope };
    const customerId = uuidv7();
    await expect(workspace.tryCreate({ botId, customerId, idempotency: other })).rejects.toMatchObject({
      code: 'unprocessable',
      type: 'idempotency-key-reused',
    });
    expect(system.ensured).not.toContain(customerId);
  });

  it('creates one interaction and its events once for ten concurrent calls', async () => {
    const request = {
      botId: await workspace.publish(notice),
      status: 'InProgress' as const,
      idempotency: idempotencyKey('a'),
    };
    const answers = await Promise.all(Array.from({ length: 10 }, () => workspace.tryCreate(request)));
    expect(new Set(answers.map((answer) => answer.interaction?.id)).size).toBe(1);
    expect(answers.filter((answer) => !answer.replayed)).toHaveLength(1);
    expect((await workspace.list()).total).toBe(1);
    expect(await workspace.raised()).toEqual(['created', 'started', 'completed']);
  });

  it('is not consumed by a rejected call', async () => {
    const idempotency = idempotencyKey('a');
    await expect(workspace.tryCreate({ botId: uuidv7(), idempotency })).rejects.toMatchObject({
      code: 'invalid_argument',
    });
    const corrected = { ...idempotencyKey('b'), scope: idempotency.scope };
    await expect(workspace.tryCreate({ botId, idempotency: corrected })).resolves.toMatchObject({
      replayed: false,
    });
  });

  it('returns its interaction, although the bot would reject the call now', async () => {
    const request = { botId, context: { plan: 'gold' }, idempotency: idempotencyKey('a') };
    const first = await workspace.tryCreate(request);
    const definition = JSON.stringify({ ...survey, context: [{ name: 'product' }] });
    const { workspaceId } = workspace;
    await system.bots.publishBotVersion({ workspaceId, id: botId, definition, idempotency: null }, call);
    expect(await workspace.tryCreate(request)).toEqual({ interaction: first.interaction, replayed: true });
  });
});

describe('reading an interaction', () => {
  it.each([uuidv7(), 'not-a-uuid', ''])('does not find %j', async (id) => {
    await expect(workspace.get(id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(workspace.update(id, { priority: 'Low' })).rejects.toMatchObject({ code: 'not_found' });
  });

  it("finds, lists and changes none of another workspace's", async () => {
    const { id } = await workspace.create({ botId });
    const other = workspaceOf(system);
    await expect(other.get(id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(other.update(id, { priority: 'Low' })).rejects.toMatchObject({ code: 'not_found' });
    expect(await other.list()).toEqual({ interactions: [], total: 0, ...nothingMore });
    expect(await other.list({ customerId: 'ada' })).toEqual({ interactions: [], total: 0, ...nothingMore });
  });
});
