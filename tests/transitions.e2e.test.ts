import { eventually } from '@parley/testing/eventually';
import { startReceiver } from '@parley/testing/receiver';
import { expect, inject, test } from 'vitest';
import { createNpsWorkspace, type Interaction } from './nps-workspace.ts';

// Contract, section 4: every pair of statuses that a client may request by PATCH.

const statuses = ['Draft', 'Pending', 'InProgress', 'Completed', 'Expired'] as const;
type Status = (typeof statuses)[number];

const allowed: Record<Status, readonly Status[]> = {
  Draft: ['Draft', 'Pending', 'InProgress', 'Expired'],
  Pending: ['Draft', 'Pending', 'InProgress', 'Completed', 'Expired'],
  InProgress: ['InProgress', 'Completed', 'Expired'],
  Completed: ['Completed'],
  Expired: ['Expired'],
};

const { workspace, create, patch, get } = await createNpsWorkspace(
  inject('local').baseUrl,
  inject('operator'),
);

async function inState(status: Status): Promise<Interaction> {
  const { body } = await create({ status });
  expect(body.data.status).toBe(status);
  return body.data;
}

for (const from of statuses) {
  for (const to of statuses) {
    const may = allowed[from].includes(to);
    test(`${from} to ${to} by the client ${may ? 'succeeds' : 'is rejected with both statuses'}`, async () => {
      const { id } = await inState(from);
      const { status, body } = await patch(id, { status: to });
      const after = await get(id);
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

test('an expired one becomes Pending only with a future expiry in the same PATCH', async () => {
  const { id } = await inState('Expired');
  expect((await patch(id, { status: 'Pending', expiry: 0 })).status).toBe(409);
  const revived = await patch(id, { status: 'Pending', expiry: 3600 });
  expect([revived.status, revived.body.data.status]).toEqual([200, 'Pending']);
  expect(revived.body.data.expiresAt).not.toBeNull();
});

test('open ones expire by the clock, also between two reads', async () => {
  const { body } = await create({ status: 'Pending', expiry: 0.3 });
  await eventually(async () => {
    const { body: now } = await get(body.data.id);
    expect(now.data.status).toBe('Expired');
  });
  const late = await patch(body.data.id, { status: 'Completed' });
  expect(late.status).toBe(409);
});

test('a Pending one that the client closes has an empty history and one delivery', async () => {
  await using receiver = await startReceiver();
  const hook = { url: receiver.url, secretToken: 'closed-from-pending', isActive: true };
  await workspace.api.post('/webhooks', hook);
  const { id } = await inState('Pending');
  const twins = Array.from({ length: 5 }, () => patch(id, { status: 'Completed' }));
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
  // One more completion behind it: a duplicate of the first would have arrived before.
  const other = await inState('Pending');
  await patch(other.id, { status: 'Completed' });
  await eventually(() => expect(receiver.requests).toHaveLength(2));
  expect(
    receiver.requests.map(
      ({ body }) => (JSON.parse(body.toString()) as { interaction_id: string }).interaction_id,
    ),
  ).toEqual([id, other.id]);
});
