import { eventually } from '@parley/testing/eventually';
import { startReceiver } from '@parley/testing/peers/receiver';
import { expect, inject, test } from 'vitest';
import { createNpsWorkspace, type Interaction } from '../insight/nps-workspace.ts';

// Contract, section 4: statuses that a client requests by PATCH. The interaction service's own tests cover all pairs.

const { workspace, create, patch, get } = await createNpsWorkspace(
  inject('local').baseUrl,
  inject('operator'),
);

async function inState(status: string): Promise<Interaction> {
  const { body } = await create({ status });
  expect(body.data.status).toBe(status);
  return body.data;
}

test('an allowed status is set', async () => {
  const { id } = await inState('Draft');
  const { status, body } = await patch(id, { status: 'Pending' });
  expect([status, body.data.status]).toEqual([200, 'Pending']);
  expect((await get(id)).body.data.status).toBe('Pending');
});

test('another one is rejected with both statuses', async () => {
  const { id } = await inState('Completed');
  const { status, body } = await patch(id, { status: 'Pending' });
  expect([status, body.type]).toEqual([409, 'illegal-transition']);
  expect(body.detail).toMatch(/Completed.*Pending/);
  expect((await get(id)).body.data.status).toBe('Completed');
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
