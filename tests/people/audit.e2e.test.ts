import { randomUUID } from 'node:crypto';
import type { AuditEvent } from '@parley/client';
import { databaseServices } from '@parley/contracts/services';
import { createWorkspace, type TestWorkspace } from '@parley/testing/api';
import { openSqlConnection, type SqlConnection } from '@parley/testing/database/sql';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { auditEventsOf } from './audit-log.ts';
import { callsIn, createKey, missingScopes, ofCaller } from './limited-keys.ts';
import { npsBot } from '../conversations/sample-bots.ts';

// Contract 2, section 12: the audit log.

const { baseUrl, postgresUrl } = inject('local');
const operator = inject('operator');

let workspace: TestWorkspace;
let admin: SqlConnection;
beforeAll(async () => {
  workspace = await createWorkspace(baseUrl, operator);
  admin = await openSqlConnection(postgresUrl);
});
afterAll(() => admin[Symbol.asyncDispose]());

describe('an event', () => {
  test('says who did what to which thing, from where and in which request', async () => {
    const key = await createKey(workspace, ['audit:read']);
    const path = `/apikeys/${key.apiKey}`;
    const answer = await workspace.api.patch(
      path,
      { name: 'Renamed' },
      { 'x-request-id': 'request-of-audit' },
    );
    expect(answer.status).toBe(200);
    const [event] = await auditEventsOf(workspace, { target: key.apiKey });
    expect(event).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      occurredAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}000$/),
      action: 'key.updated',
      actor: { type: 'key', id: workspace.apiKey, name: '' },
      targets: [{ type: 'key', id: key.apiKey }],
      requestId: answer.headers.get('x-request-id'),
      clientAddress: expect.stringMatching(/127\.0\.0\.1|::1/),
      changes: { name: ['Test', 'Renamed'] },
    });
  });

  test('of the operator has no address', async () => {
    const [created] = await auditEventsOf(workspace, { action: 'workspace.created' });
    expect(created).toMatchObject({
      actor: { type: 'operator', id: 'operator', name: '' },
      targets: [{ type: 'workspace', id: workspace.id }],
      clientAddress: null,
    });
  });
});

describe('the question who turned a webhook off', () => {
  test('has an answer', async () => {
    const { webhooks } = workspace.client;
    const url = 'https://example.com/hook?token=of-the-receiver';
    const { id } = await webhooks.create({ url, secretToken: randomUUID(), isActive: true });
    const key = await createKey(workspace, ['webhooks:write']);
    await callsIn(baseUrl, workspace.id, key).patch(`/webhooks/${id}`, { isActive: false });
    const events = await auditEventsOf(workspace, { target: id, action: 'webhook.updated' });
    expect(events).toMatchObject([
      { actor: { type: 'key', id: key.apiKey, name: 'Test' }, changes: { isActive: [true, false] } },
    ]);
    const [created] = await auditEventsOf(workspace, { target: id, action: 'webhook.created' });
    expect(created?.changes).toEqual({
      url: [null, 'https://example.com/hook?[hidden]'],
      events: [null, ['InteractionCompleted']],
      isActive: [null, true],
    });
  });
});

describe('secrets and personal data', () => {
  test('are not in the log', async () => {
    const mark = `Marked${randomUUID().replaceAll('-', '')}`;
    const { client, api } = workspace;
    const botId = await workspace.publish(npsBot);
    const person = { firstName: `${mark}first`, lastName: `${mark}last`, email: `${mark}@example.com` };
    const { id: customerId } = await client.customers.create({ id: randomUUID(), ...person });
    await client.customers.update(customerId, { firstName: `${mark}second` });
    const context = [{ key: 'productName', value: `${mark}context` }];
    const { id } = await client.interactions.create({ customerId, botId, context, status: 'Pending' });
    await client.interactions.update(id, { status: 'Completed' });
    const hook = {
      url: `https://example.com/?token=${mark}`,
      secretToken: `${mark}token`,
      isActive: true,
    };
    const { id: webhookId } = await client.webhooks.create(hook);
    await api.patch(`/webhooks/${webhookId}/options`, {
      headers: { 'x-secret': `${mark}header` },
      secretToken: `${mark}second-token`,
    });
    const secrets = [
      mark,
      (await createKey(workspace, ['audit:read'])).secret,
      (await api.post<{ secret: string }>('/sdk-secret/rotate')).body.data.secret,
      (await client.webhooks.rotateSigningSecret(webhookId)).signingSecret,
      workspace.apiSecret,
    ];

    const [updated] = await auditEventsOf(workspace, { target: customerId, action: 'customer.updated' });
    expect(updated?.changes).toEqual({ firstName: ['[hidden]', '[hidden]'] });
    const [options] = await auditEventsOf(workspace, { target: webhookId, action: 'webhook.updated' });
    expect(options?.changes).toEqual({ secretToken: ['[hidden]', '[hidden]'], headers: [null, '[hidden]'] });
    const shown = JSON.stringify(await auditEventsOf(workspace));
    for (const schema of databaseServices) {
      const rows = await admin.query<{ row: string }>(
        `select log::text as row from ${schema}.audit_log as log`,
      );
      for (const text of [shown, ...rows.map(({ row }) => row)])
        for (const secret of secrets) expect(text).not.toContain(secret);
    }
  });
});

describe('the list', () => {
  let own: TestWorkspace;
  let all: AuditEvent[];
  beforeAll(async () => {
    own = await createWorkspace(baseUrl, operator);
    const { client, api } = own;
    const botId = await own.publish(npsBot);
    for (const name of ['a', 'b', 'c']) {
      await client.customers.create({ id: name });
      await client.webhooks.create({ url: 'https://example.com/', secretToken: name, isActive: false });
      await client.interactions.create({ customerId: name, botId });
      await api.patch('/branding', { displayName: name });
    }
    all = await auditEventsOf(own);
  });

  const keyOf = ({ occurredAt, id }: AuditEvent): string => `${occurredAt} ${id}`;

  test('has the events of all services, newest first', () => {
    expect(all.map(keyOf)).toEqual(all.map(keyOf).toSorted().toReversed());
    const count = (action: string): number => all.filter((event) => event.action === action).length;
    const actions = ['customer.created', 'webhook.created', 'interaction.created', 'branding.updated'];
    expect(actions.map(count)).toEqual([3, 3, 3, 3]);
  });

  test.each([1, 2, 5])('has all of them, each once, on pages of %i', async (limit) => {
    expect(await auditEventsOf(own, { limit })).toEqual(all);
  });

  test('is filtered by time, actor, action and target', async () => {
    const [, first, , , , last] = all;
    const [to, from] = [first?.occurredAt ?? '', last?.occurredAt ?? ''];
    expect(await auditEventsOf(own, { from, to })).toEqual(
      all.filter(({ occurredAt }) => occurredAt >= from && occurredAt < to),
    );
    expect(await auditEventsOf(own, { actor: 'operator', limit: 1 })).toEqual(
      all.filter(({ actor }) => actor.type === 'operator'),
    );
    expect(await auditEventsOf(own, { action: 'branding.updated', limit: 1 })).toEqual(
      all.filter(({ action }) => action === 'branding.updated'),
    );
    expect(await auditEventsOf(own, { target: 'b' })).toEqual(
      all.filter(({ targets }) => targets.some(({ id }) => id === 'b')),
    );
  });

  test('has nothing of another workspace, and needs the scope', async () => {
    const others = await auditEventsOf(workspace);
    expect(others.filter(({ id }) => all.some((event) => event.id === id))).toEqual([]);
    const key = await createKey(own, ['webhooks:read']);
    const { body } = await callsIn(baseUrl, own.id, key).get('/audit-events');
    expect(body).toMatchObject(missingScopes([ofCaller, 'audit:read']));
  });

  test('refuses a wrong cursor and a wrong period', async () => {
    for (const query of ['cursor=x', 'from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z', 'from=monday'])
      expect((await own.api.get(`/audit-events?${query}`)).status).toBe(400);
  });
});

describe.each(databaseServices)('the role of %s', (schema) => {
  async function asRole(statement: string): Promise<void> {
    await admin.query('begin');
    try {
      await admin.query(`set local session authorization parley_${schema}`);
      await admin.query(statement);
    } finally {
      await admin.query('rollback');
    }
  }

  test('can insert and read events, but not change or delete them', async () => {
    const partitions = await admin.query<{ name: string }>(
      `select inhrelid::regclass::text as name from pg_inherits where inhparent = '${schema}.audit_log'::regclass`,
    );
    expect(partitions).toHaveLength(3);
    for (const table of [`${schema}.audit_log`, ...partitions.map(({ name }) => name)]) {
      await asRole(`insert into ${table} (id, action, actor_type, actor_id, actor_name, targets, request_id, changes)
        values (gen_random_uuid(), 'a', 'key', 'k', '', '[]', 'r', '{}')`).catch((error: unknown) => {
        // A partition of another month refuses it.
        expect(String(error)).toMatch(/partition constraint/);
      });
      await asRole(`select * from ${table}`);
      for (const statement of [
        `update ${table} set action = 'b'`,
        `delete from ${table}`,
        `truncate ${table}`,
      ])
        await expect(asRole(statement)).rejects.toThrow(/permission denied/);
    }
  });
});
