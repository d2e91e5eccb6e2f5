import type { Delivery, WorkspaceClient } from '@parley/client';
import type { OperatorAccess } from '@parley/local/demo/demo';
import { eventually } from '@parley/testing/eventually';
import type { ReceivedRequest, Receiver } from '@parley/testing/peers/receiver';
import { expect } from 'vitest';
import { createNpsWorkspace } from '../insight/nps-workspace.ts';

/** A new workspace whose conversations are completed by one call, and the calls on its webhooks. */
export async function createDeliveringWorkspace(baseUrl: string, operator: OperatorAccess) {
  const { workspace, botId } = await createNpsWorkspace(baseUrl, operator);
  const { interactions, webhooks } = workspace.client;
  return {
    workspace,
    botId,
    webhooks,
    complete: async (customerId = 'c'): Promise<string> => {
      const { id } = await interactions.create({ customerId, botId, status: 'Pending' });
      await interactions.update(id, { status: 'Completed' });
      return id;
    },
    hookTo: async ({ url }: Receiver): Promise<string> =>
      (await webhooks.create({ url, secretToken: 'never shown', isActive: true })).id,
    /** Returns the delivery of an interaction, once it has the expected state. */
    deliveryOf: (webhookId: string, interactionId: string, wanted: Partial<Delivery>): Promise<Delivery> =>
      eventually(async () => {
        const { data } = await webhooks.deliveries.list(webhookId);
        const found = data.find((one) => one.interactionId === interactionId);
        expect(found).toMatchObject(wanted);
        return found as Delivery;
      }),
  };
}

export function interactionIdsOf(requests: ReceivedRequest[]): string[] {
  return requests.map(
    ({ body }) => (JSON.parse(body.toString()) as { interaction_id: string }).interaction_id,
  );
}

/**
 * Creates a delivery and a recovery of an unreachable webhook, and waits until they are final because the webhook is
 * inactive. Returns their ids.
 */
export async function makeSettledLog(webhooks: WorkspaceClient['webhooks'], webhookId: string) {
  const { id: deliveryId, webhookMessageId: eventId } = await webhooks.sendTest(webhookId);
  await eventually(async () => {
    expect((await webhooks.deliveries.get(webhookId, deliveryId)).attempts).toBeGreaterThan(0);
  });
  const { id: recoveryId } = await webhooks.recover(webhookId, { since: '1970-01-01T00:00:00Z' });
  await eventually(async () => {
    expect((await webhooks.getRecovery(webhookId, recoveryId)).state).toBe('done');
  });
  await webhooks.update(webhookId, { isActive: false });
  await eventually(async () => {
    // On a slow machine it may have no attempts left by now.
    expect((await webhooks.deliveries.get(webhookId, deliveryId)).state).toBeOneOf(['skipped', 'failed']);
  });
  return { deliveryId, eventId, recoveryId };
}
