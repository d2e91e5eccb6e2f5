import { inject, expect, test, beforeAll } from 'vitest';
import { createWorkspace, type TestWorkspace } from '@parley/testing/api';
import { eventually } from '@parley/testing/eventually';
import { startReceiver } from '@parley/testing/receiver';
import { npsBot } from './sample-bots.ts';

// Contract, section 4: every pair of states, as a client may bring it about by PATCH.

const statuses = ['Draft', 'Pending', 'InProgress', 'Completed', 'Expired'] as const;
type Status = (typeof statuses)[number];

const allowed: Record<Status, readonly Status[]> = {
  Draft: ['Draft', 'Pending', 'InProgress', 'Expired'],
  Pending: ['Draft', 'Pending', 'InProgress', 'Completed', 'Expired'],
  InProgress: ['InProgress', 'Completed', 'Expired'],
  Completed: ['Completed'],
  Expired: ['Expired'],
};

interface Interaction {
  id: string;
  status: Status;
  expiresAt: string | null;
  data: string | null;
}

let workspace: TestWorkspace;
let botId: string;

beforeAll(async () => {
  workspace = await createWorkspace(inject('local').baseUrl, inject('operator'));
  botId = await workspace.publish(npsBot);
});

async function inState(status: Status): Promise<Interaction> {
  const { body } = await workspace.api.post<Interaction>('/interactions', { customerId: 'c', botId, status });
  expect(body.data.status).toBe(status);
  return body.data;
}

for (const from of statuses) {
  for (const to of statuses) {
    const may = allowed[from].includes(to);
    test(`${from} to ${to} by the client ${may ? 'is done' : 'is refused, naming both states'}`, async () => {
      const { id } = await inState(from);
      const { status, body } = await workspace.api.patch<Interaction>(`/interactions/${id}`, { status: to });
      const after = await workspace.api.get<Interaction>(`/interactions/${id}`);
      if (may) {
        expect(status).toBe(200);
        expect(body.data.status).toBe(to);
        expect(after.body.data.status).toBe(to);
      } else {
        expect(status).toBe(409);
        expect(body.type).toBe('illegal-transition');
        expect(body.detail).toContain(from);
        expect(body.detail).toContain(to);
        expect(after.body.data.status).toBe(from);
      }
    });
  }
}

test('an expired one becomes Pending again only with a future expiry in the same PATCH', async () => {
  const { id } = await inState('Expired');
  const patch = (body: object) => workspace.api.patch<Interaction>(`/interactions/${id}`, body);
  expect((await patch({ status: 'Pending', expiry: 0 })).status).toBe(409);
  const revived = await patch({ status: 'Pending', expiry: 3600 });
  expect([revived.status, revived.body.data.status]).toEqual([200, 'Pending']);
  expect(revived.body.data.expiresAt).not.toBeNull();
});

test('the clock ends what is open, also between two looks', async () => {
  const { body } = await workspace.api.post<Interaction>('/interactions', {
    customerId: 'c',
    botId,
    status: 'Pending',
    expiry: 0.3,
  });
  await eventually(async () => {
    const { body: now } = await workspace.api.get<Interaction>(`/interactions/${body.data.id}`);
    expect(now.data.status).toBe('Expired');
  });
  const late = await workspace.api.patch(`/interactions/${body.data.id}`, { status: 'Completed' });
  expect(late.status).toBe(409);
});

test('a Pending one that the client closes has the empty shape, and the webhook hears of it once', async () => {
  await using receiver = await startReceiver();
  const hook = { url: receiver.url, secretToken: 'closed-from-pending', isActive: true };
  await workspace.api.post('/webhooks', hook);
  const { id } = await inState('Pending');
  const twins = Array.from({ length: 5 }, () =>
    workspace.api.patch<Interaction>(`/interactions/${id}`, { status: 'Completed' }),
  );
  for (const { status, body } of await Promise.all(twins)) {
    expect(status).toBe(200);
    expect(JSON.parse(body.data.data ?? '')).toEqual({
      customer_id: 'c',
      interaction_id: id,
      evaluation: {},
      transcript: [],
    });
  }
  await eventually(() => expect(receiver.requests).toHaveLength(1));
  // One more completion behind it: had there been a second delivery of the first, it would have come before.
  const other = await inState('Pending');
  await workspace.api.patch(`/interactions/${other.id}`, { status: 'Completed' });
  await eventually(() => expect(receiver.requests).toHaveLength(2));
  expect(
    receiver.requests.map(
      ({ body }) => (JSON.parse(body.toString()) as { interaction_id: string }).interaction_id,
    ),
  ).toEqual([id, other.id]);
});
