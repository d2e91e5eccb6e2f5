import type { FactsServiceService, KnownConversation } from '@parley/contracts/interaction/v1/facts';
import type { RpcClient } from '@parley/rpc/definition';
import { v7 as uuidv7 } from 'uuid';
import type { ReadPage } from './apply.ts';

export type FactsClient = RpcClient<FactsServiceService>;

/** At most 500. Interactions that do not exist are deleted. */
export async function readFacts(
  client: FactsClient,
  conversations: readonly Pick<KnownConversation, 'workspaceId' | 'interactionId'>[],
  signal?: AbortSignal,
): Promise<ReadPage> {
  // All facts: generations may have counted different ones.
  const known = conversations.map(({ workspaceId, interactionId }) => {
    return { workspaceId, interactionId, version: 0, isStalled: false };
  });
  const request = { conversations: known };
  const options = { requestId: uuidv7(), ...(signal && { signal }) };
  const { facts, missingIds, horizon, server } = await client.listConversationFacts(request, options);
  const isMissing = new Set(missingIds);
  const missing = conversations.filter(({ interactionId }) => isMissing.has(interactionId));
  return {
    horizon,
    server,
    read: [
      ...facts.map((one) => ({ workspaceId: one.workspaceId, interactionId: one.interactionId, facts: one })),
      ...missing.map(({ workspaceId, interactionId }) => ({ workspaceId, interactionId, facts: undefined })),
    ],
  };
}
