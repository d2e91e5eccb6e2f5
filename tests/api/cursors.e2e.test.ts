import { randomUUID } from 'node:crypto';
import { createWorkspace, type TestWorkspace } from '@parley/testing/api';
import { beforeAll, expect, inject, test } from 'vitest';
import { createKey } from '../people/limited-keys.ts';
import { npsBot } from '../conversations/sample-bots.ts';

// Contract 3, section 15: one form of all cursors.

const { baseUrl } = inject('local');

interface Document {
  paths: Record<string, { get?: { parameters?: { name: string; in: string }[] } }>;
}

let workspace: TestWorkspace;
let other: TestWorkspace;
/** The paths of all lists with a cursor, below the workspace. */
let lists: string[];
beforeAll(async () => {
  [workspace, other] = await Promise.all([
    createWorkspace(baseUrl, inject('operator')),
    createWorkspace(baseUrl, inject('operator')),
  ]);
  await createKey(workspace, ['audit:read']);
  const { webhooks } = workspace.client;
  const hook = { url: 'https://receiver.example/hook', secretToken: 's', isActive: true };
  const { id: webhookId } = await webhooks.create(hook);
  const { id: deliveryId } = await webhooks.sendTest(webhookId);
  const botId = await workspace.publish(npsBot);
  const { id: interactionId } = await workspace.client.interactions.create({ customerId: 'c', botId });
  const workspaceId = workspace.id;
  const ids: Record<string, string> = { workspaceId, webhookId, deliveryId, interactionId, botId };
  const document = (await (await fetch(`${baseUrl}/openapi.json`)).json()) as Document;
  lists = Object.entries(document.paths).flatMap(([path, { get }]) => {
    if (!get?.parameters?.some(({ name, in: place }) => place === 'query' && name === 'cursor')) return [];
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? expect.fail(`no ${name}`));
    return [filled.replace(`/v1/workspaces/${workspace.id}`, '')];
  });
});

interface Page {
  meta: { nextCursor: string | null };
}

async function nextCursor({ api }: TestWorkspace, path: string): Promise<string> {
  const { body } = await api.get(path);
  return (body as unknown as Page).meta.nextCursor ?? expect.fail(`${path} has one page`);
}

const invalid = {
  type: 'invalid-cursor',
  errors: [{ pointer: '/query/cursor', detail: expect.stringContaining('nextCursor') }],
};

test('every list rejects texts that are no cursor, and cursors of another list', async () => {
  expect(lists.length).toBeGreaterThan(8);
  const events = await nextCursor(workspace, '/audit-events?limit=1');
  const ofAuditEvents = Buffer.from(events, 'base64url').subarray(6).toString();
  const texts = ['x', '%2B', 'MDE5YWE1ZDg', `${events}A`, `${events}=`, 'A'.repeat(512)];
  // As release 0.2.0 wrote them.
  const former = [randomUUID(), ofAuditEvents, '3_1764400000000', workspace.apiKey];
  for (const path of lists) {
    const foreign = path === '/audit-events' ? await nextCursor(workspace, '/apikeys?limit=1') : events;
    for (const cursor of [...texts, ...former, foreign]) {
      const { status, body } = await workspace.api.get(`${path}?cursor=${cursor}`);
      expect([path, cursor, status]).toEqual([path, cursor, 400]);
      expect(body).toMatchObject(invalid);
    }
  }
});

test('a cursor continues its list only in its workspace and with its filters, in pages of any size', async () => {
  const path = '/audit-events?limit=1&action=key';
  for (const scope of ['audit:read', 'bots:read'] as const) await createKey(workspace, [scope]);
  const cursor = await nextCursor(workspace, path);
  const at = `cursor=${cursor}`;
  expect((await workspace.api.get(`/audit-events?limit=5&action=key&${at}`)).status).toBe(200);
  for (const query of [at, `action=key.created&${at}`, `action=key&actor=key&${at}`]) {
    expect((await workspace.api.get(`/audit-events?${query}`)).body).toMatchObject(invalid);
  }
  expect((await other.api.get(`/audit-events?action=key&${at}`)).body).toMatchObject(invalid);
});

test('the cursor of an export of release 0.2.0 has expired', async () => {
  const { status, body } = await workspace.api.get(`/interactions/export?cursor=735.${randomUUID()}`);
  expect([status, (body as unknown as { type: string }).type]).toEqual([410, 'cursor-expired']);
});
