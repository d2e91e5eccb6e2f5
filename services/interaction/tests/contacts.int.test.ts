import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { refusedOffers } from '../src/metrics.ts';
import { notice, survey } from './definitions.ts';
import {
  call,
  idempotencyKey,
  type Interactions,
  startInteractions,
  workspaceOf,
  type Workspace,
} from './fixture.ts';

let service: Interactions;
beforeAll(async () => {
  service = await startInteractions();
});
afterAll(() => service[Symbol.asyncDispose]());

let workspace: Workspace;
let botId: string;
let customerId: string;
beforeEach(async () => {
  workspace = workspaceOf(service);
  botId = await workspace.publish(survey);
  customerId = uuidv7();
});

const once = { count: 1, days: 30 };
const none = { count: 0, days: 0 };

const setPolicy = (change: { anyBot?: typeof once; sameBot?: typeof once }, ifVersion?: number) =>
  service.interactions.updateContactPolicy(
    { workspaceId: workspace.workspaceId, anyBot: null, sameBot: null, ...change, ifVersion },
    call,
  );

const offer = (fields: object = {}) => workspace.create({ botId, customerId, status: 'Pending', ...fields });

const contactability = (fields: object = {}) =>
  service.interactions.getContactability({ workspaceId: workspace.workspaceId, customerId, ...fields }, call);

const limit = {
  code: 'failed_precondition',
  type: 'contact-limit',
  faults: [{ pointer: '/customerId', retryAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{6}$/) }],
};

/** Moves what was offered into the past. */
async function letPass(id: string, days: number): Promise<void> {
  await service.db
    .updateTable('interaction')
    .set({ offeredAt: new Date(Date.now() - days * 86_400_000) })
    .where('workspaceId', '=', workspace.workspaceId)
    .where('id', '=', id)
    .execute();
}

describe('a contact policy', () => {
  it('is none at first, changes in parts, and is guarded by its version', async () => {
    const { workspaceId } = workspace;
    const get = () => service.interactions.getContactPolicy({ workspaceId }, call);
    expect(await get()).toEqual({ anyBot: null, sameBot: null, version: 0 });
    expect(await setPolicy({ anyBot: once })).toEqual({ anyBot: once, sameBot: null, version: 1 });
    await setPolicy({ sameBot: once }, 1);
    await expect(setPolicy({ anyBot: none }, 1)).rejects.toMatchObject({ code: 'aborted' });
    expect(await setPolicy({ anyBot: none })).toMatchObject({ anyBot: null, sameBot: once });
    expect(await get()).toMatchObject({ version: 3 });
    await expect(setPolicy({ anyBot: { count: 1, days: 366 } })).rejects.toMatchObject({
      faults: [{ pointer: '/anyBot/days' }],
    });
  });

  it('allows no further offer, says when one is allowed, and then allows it', async () => {
    await setPolicy({ anyBot: once });
    const first = await offer();
    await expect(offer()).rejects.toMatchObject(limit);
    await expect(offer({ status: 'InProgress' })).rejects.toMatchObject(limit);
    const { allowed, retryAt } = await contactability();
    expect(allowed).toBe(false);
    expect(Number(retryAt) - Number(first.createdAt)).toBe(30 * 86_400_000);
    await offer({ customerId: uuidv7() });
    await letPass(first.id, 30);
    expect(await contactability()).toMatchObject({ allowed: true, retryAt: null });
    await offer();
  });

  it('counts of one bot or of all', async () => {
    const other = await workspace.publish(notice);
    await setPolicy({ sameBot: once });
    await offer();
    expect(await contactability({ botId })).toMatchObject({ allowed: false });
    expect(await contactability({ botKey: notice.key })).toMatchObject({ allowed: true });
    await offer({ botId: other });
    await expect(offer({ botId: other })).rejects.toMatchObject(limit);
    await expect(contactability({ botKey: 'nothing' })).rejects.toMatchObject({ code: 'invalid_argument' });
  });

  it('never counts drafts, imports and tests', async () => {
    await setPolicy({ anyBot: once });
    for (const fields of [
      { status: 'Draft' },
      { status: 'Completed' },
      { status: 'Expired' },
      { isTest: true },
    ])
      await offer(fields);
    await offer({ isTest: true, status: 'InProgress' });
    await offer();
    await offer({ isTest: true });
    await offer({ status: 'Draft' });
  });

  it('decides when a draft is offered, and lets what was offered go on', async () => {
    await setPolicy({ anyBot: once });
    const draft = await offer({ status: 'Draft' });
    const offered = await offer();
    const refused = { ...limit, faults: [{ pointer: '/status' }] };
    for (const status of ['Pending', 'InProgress'] as const)
      await expect(workspace.update(draft.id, { status })).rejects.toMatchObject(refused);
    expect(await workspace.get(draft.id)).toMatchObject({ status: 'Draft', version: 1 });
    await workspace.update(offered.id, { status: 'InProgress' });
    await workspace.update(draft.id, { status: 'Pending', ignoreContactPolicy: true });
    await workspace.update(draft.id, { status: 'Draft' });
    // It does not count for itself, but the other one does.
    await expect(workspace.update(draft.id, { status: 'Pending' })).rejects.toMatchObject(refused);
    await letPass(offered.id, 31);
    await workspace.update(draft.id, { status: 'Pending' });
  });

  it('counts an interaction from when customers see it, which a move of what they have seen does not change', async () => {
    await setPolicy({ anyBot: once });
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);
    const { id } = await offer();
    await letPass(id, 31);
    for (const change of [{ availableFrom: inDays(-1) }, { clearsAvailableFrom: true }]) {
      await workspace.update(id, change);
      expect(await contactability()).toMatchObject({ allowed: true });
    }
    for (const availableFrom of [inDays(3), inDays(2)]) {
      await workspace.update(id, { availableFrom });
      expect(Number((await contactability()).retryAt)).toBe(Number(availableFrom) + 30 * 86_400_000);
    }
    await workspace.update(id, { clearsAvailableFrom: true });
    const { retryAt } = await contactability();
    expect(Number(retryAt)).toBeLessThanOrEqual(Number(inDays(30)));
  });

  it('counts no interaction later than when it was started, withdrawn or deleted', async () => {
    await setPolicy({ anyBot: once });
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);
    const { workspaceId } = workspace;
    const ends: ((id: string) => Promise<unknown>)[] = [
      ...(['InProgress', 'Draft', 'Expired', 'Completed'] as const).map(
        (status) => (id: string) => workspace.update(id, { status }),
      ),
      (id) => service.interactions.deleteInteraction({ workspaceId, id }, call),
    ];
    for (const status of ['Draft', 'Pending'] as const) {
      for (const end of status === 'Draft' ? ends.slice(0, 1) : ends) {
        const of = uuidv7();
        const { id } = await offer({ customerId: of, status, availableFrom: inDays(20) });
        await end(id);
        const { allowed, retryAt } = await contactability({ customerId: of });
        expect(allowed).toBe(false);
        expect(Number(retryAt)).toBeLessThanOrEqual(Number(inDays(30)));
      }
    }
  });

  it('counts an import from when it is offered', async () => {
    await setPolicy({ anyBot: once });
    const { id } = await offer({ status: 'Expired' });
    expect(await contactability()).toMatchObject({ allowed: true });
    await workspace.update(id, { status: 'Pending', expirySeconds: 86_400 });
    await expect(offer()).rejects.toMatchObject(limit);
    await service.interactions.deleteInteraction({ workspaceId: workspace.workspaceId, id }, call);
    await expect(offer()).rejects.toMatchObject(limit);
  });

  it('takes id and key of the same bot for a look ahead', async () => {
    expect(await contactability({ botId, botKey: survey.key })).toMatchObject({ allowed: true });
    await expect(contactability({ botId: uuidv7(), botKey: survey.key })).rejects.toMatchObject({
      faults: [{ pointer: '/botKey' }],
    });
  });

  it('decides the items of a call in their order, with a key and without', async () => {
    await setPolicy({ anyBot: { count: 2, days: 7 } });
    for (const key of [null, idempotencyKey('bulk')]) {
      const of = uuidv7();
      const item = { botId, customerId: of, status: 'Pending' } as const;
      const items = [
        { ...item, ignoreContactPolicy: true },
        item,
        { ...item, status: 'Draft' as const },
        item,
        { ...item, customerId: uuidv7() },
        { ...item, botId: uuidv7() },
        { ...item, ignoreContactPolicy: true },
      ];
      const { results } = await workspace.createAll(items, key);
      const types = results.map(({ error }) => error?.type);
      const [none, reached, invalid] = [undefined, 'contact-limit', 'invalid-request'];
      expect(types).toEqual([none, none, none, reached, none, invalid, none]);
      expect(results[3]?.error?.retryAt).toMatch(/^\d{4}-/);
      expect((await workspace.list({ customerId: of })).total).toBe(4);
    }
  });

  it('changes no customer of a creation that it refuses, alone and in bulk, also behind another one of the call', async () => {
    await setPolicy({ anyBot: once });
    await offer({ customer: { firstName: 'Ada' } });
    const { people, ensured } = service;
    const before = ensured.length;
    const item = { botId, customerId, customer: { firstName: 'Eve' }, status: 'Pending' } as const;
    for (const status of ['Pending', 'InProgress'] as const)
      await expect(offer({ ...item, status })).rejects.toMatchObject(limit);
    expect(ensured.length).toBe(before);
    for (const key of [null, idempotencyKey('refused')]) {
      const other = { ...item, customerId: uuidv7() };
      const items = [item, other, { ...other, customer: { firstName: 'Mallory' } }];
      const { results } = await workspace.createAll(items, key);
      const types = results.map(({ error }) => error?.type);
      expect(types).toEqual(['contact-limit', undefined, 'contact-limit']);
      expect(people.get(other.customerId)).toEqual({ firstName: 'Eve' });
    }
    expect(people.get(customerId)).toEqual({ firstName: 'Ada' });
    await offer({ ...item, ignoreContactPolicy: true });
    expect(people.get(customerId)).toEqual({ firstName: 'Eve' });
  });

  it('lets one of many offers at once through, over several replicas', async () => {
    await setPolicy({ anyBot: once });
    await using replica = await service.startReplica();
    const others = workspaceOf({ ...service, ...replica }, workspace.workspaceId);
    const draft = await offer({ status: 'Draft' });
    const counted = vi.spyOn(refusedOffers, 'add');
    const all = await Promise.allSettled([
      ...Array.from({ length: 40 }, (_, n) =>
        (n % 2 ? workspace : others).create({ botId, customerId, status: 'Pending' }),
      ),
      others.createAll(Array.from({ length: 5 }, () => ({ botId, customerId, status: 'Pending' }))),
      workspace.update(draft.id, { status: 'Pending' }),
    ]);
    const { interactions } = await workspace.list({ customerId, status: 'Pending' });
    expect(interactions).toHaveLength(1);
    for (const one of all)
      if (one.status === 'rejected') expect(one.reason).toMatchObject({ type: 'contact-limit' });
    expect(counted).toHaveBeenCalledTimes(45);
  });

  it('remembers what is deleted or anonymised, and forgets a customer that is deleted', async () => {
    await setPolicy({ anyBot: once });
    const { workspaceId } = workspace;
    const made = await offer();
    await service.interactions.redactCustomer(
      { workspaceId, customerId, details: [], pageToken: '', customerVersion: 2 },
      call,
    );
    expect(await contactability()).toMatchObject({ allowed: false });
    await service.interactions.deleteInteraction({ workspaceId, id: made.id }, call);
    expect(await contactability()).toMatchObject({ allowed: false });
    await service.interactions.deleteCustomerInteractions(
      { workspaceId, customerId, customerVersion: 3, pageToken: '' },
      call,
    );
    expect(await contactability()).toMatchObject({ allowed: true });
    const stored = await service.db
      .selectFrom('pastContact')
      .selectAll()
      .where('workspaceId', '=', workspaceId)
      .execute();
    expect(stored).toEqual([]);
  });
});
