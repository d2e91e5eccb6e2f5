import { IdentityAdminServiceService } from '@parley/contracts/identity/v1/identity';
import type { System } from '@parley/local/system';
import { connect } from '@parley/rpc/connect';
import { api, basic, createWorkspace, type TestWorkspace } from '@parley/testing/api';
import { eventually } from '@parley/testing/eventually';
import { repeatedly } from '@parley/testing/repeatedly';
import { expect } from 'vitest';

const paceMs = 50;

/** Repeats work until it is stopped, and records when it was acknowledged. */
function repeatSteadily(work: (number: number) => Promise<boolean>) {
  const instants: number[] = [];
  const recorded = async (_: number, round: number): Promise<void> => {
    if (await work(round + 1)) instants.push(performance.now());
  };
  const { stop } = repeatedly(recorded, { pauseMs: paceMs });
  return {
    /** How often it was acknowledged since that instant. */
    since: (instant: number): number => instants.filter((at) => at > instant).length,
    firstSince: (instant: number): number => instants.find((at) => at > instant) ?? Number.NaN,
    stop,
  };
}

let runs = 0;

/** Creates customers, each with an idempotency key, until it is stopped. A failed call is retried once. */
export function startCreations(workspace: TestWorkspace) {
  runs += 1;
  const prefix = `created ${runs}`;
  const acknowledged = new Map<string, unknown>();
  const create = (id: string) =>
    workspace.api.post('/customers', { id, firstName: id }, { 'idempotency-key': id }).catch(() => undefined);
  const steady = repeatSteadily(async (number) => {
    const id = `${prefix} ${number}`;
    const answer = await create(id);
    if (answer?.status !== 200) return false;
    acknowledged.set(id, answer.body.data);
    return true;
  });
  return {
    acknowledgedSince: steady.since,
    firstSince: steady.firstSince,
    stop: steady.stop,
    /** Each acknowledged one is stored, and a repetition gets its first answer. */
    verify: async (): Promise<void> => {
      for (const [id, first] of acknowledged) {
        const stored = await workspace.api.get(`/customers/${encodeURIComponent(id)}`);
        expect(stored.body.data).toMatchObject({ id, firstName: id });
        const repeated = await create(id);
        expect(repeated).toMatchObject({ status: 200, body: { data: first } });
      }
    },
  };
}

/**
 * Rotates the secret of a key at one gateway after the other, until it is stopped, and calls both with the old secret
 * after each answer. After a rotation without an answer, either secret may be valid, so it goes on with another key.
 */
export async function startRotations(system: System) {
  const { baseUrl, gateways } = system.local();
  const { id } = await createWorkspace(baseUrl, system.operator);
  const path = `/v1/workspaces/${id}`;
  const accepted: string[] = [];
  const rejected: string[] = [];
  let key: { apiKey: string; apiSecret: string } | undefined;
  let ended: string | undefined;
  const newKey = async () => {
    using identity = connect(system.operator.identity, { token: system.operator.operatorToken });
    const admin = identity.client(IdentityAdminServiceService);
    return await admin
      .createKey(
        { workspaceId: id, accessIds: [], scopes: [], expiresAt: null },
        { requestId: 'test', timeoutMs: 5_000 },
      )
      .catch(() => undefined);
  };
  const statusOf = async (gateway: string, apiKey: string, secret: string): Promise<number> =>
    (await api(gateway + path, basic(apiKey, secret)).get('/customers')).status;

  const steady = repeatSteadily(async (number) => {
    key ??= await newKey();
    if (!key) return false;
    const { apiKey, apiSecret } = key;
    // The gateways have the secret in their caches.
    await Promise.all(gateways.map((gateway) => statusOf(gateway, apiKey, apiSecret)));
    const caller = api(gateways[number % gateways.length] + path, basic(apiKey, apiSecret));
    const { status, body } = await caller.post<{ secret: string }>('/apikeys/rotate');
    if (status !== 200) {
      key = undefined;
      return false;
    }
    ended = apiSecret;
    key = { apiKey, apiSecret: body.data.secret };
    for (const gateway of gateways) {
      if ((await statusOf(gateway, apiKey, ended)) === 200) accepted.push(gateway);
      if ((await statusOf(gateway, apiKey, body.data.secret)) === 401) rejected.push(gateway);
    }
    return true;
  });
  return {
    acknowledgedSince: steady.since,
    stop: steady.stop,
    /** No old secret was accepted, and no new one rejected, after the answer of its rotation. */
    verify: (): void => {
      expect({ accepted, rejected }).toEqual({ accepted: [], rejected: [] });
    },
  };
}

/** Anonymises new customers until it is stopped, without a second call. */
export function startAnonymisations(workspace: TestWorkspace) {
  runs += 1;
  const prefix = `anonymised ${runs}`;
  const begun: string[] = [];
  const steady = repeatSteadily(async (number) => {
    const id = `${prefix} ${number}`;
    const created = await workspace.api.post('/customers', { id, firstName: 'Ada' }).catch(() => undefined);
    if (created?.status !== 200) return false;
    const answer = await workspace.api
      .post(`/customers/${encodeURIComponent(id)}/anonymise`)
      .catch(() => undefined);
    if (answer?.status !== 200) return false;
    begun.push(id);
    return true;
  });
  return {
    begunSince: steady.since,
    stop: steady.stop,
    /** All that have begun have ended, and each acknowledged one is still done. */
    verify: async (): Promise<void> => {
      await eventually(async () => {
        const open: string[] = [];
        for await (const { completedAt, customerId } of workspace.client.erasures.list()) {
          if (completedAt === null) open.push(customerId);
        }
        expect(open).toEqual([]);
      });
      for (const id of begun) {
        const { body } = await workspace.api.get(`/customers/${encodeURIComponent(id)}`);
        expect(body.data).toMatchObject({ id, firstName: '' });
      }
    },
  };
}
