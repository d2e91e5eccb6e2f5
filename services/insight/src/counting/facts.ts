import type { FactsServiceService, KnownConversation } from '@parley/contracts/interaction/v1/facts';
import type { RpcClient } from '@parley/rpc/definition';
import { v7 as uuidv7 } from 'uuid';
import type { Reading } from './apply.ts';

/** The facts of the interaction service. */
export type FactsClient = RpcClient<FactsServiceService>;

/** Reads what has changed about interactions, at most 500. Those that do not exist are deleted. */
export async function readFacts(
  client: FactsClient,
  conversations: readonly KnownConversation[],
  signal?: AbortSignal,
): Promise<Reading[]> {
  const request = { conversations: [...conversations] };
  const options = { requestId: uuidv7(), ...(signal && { signal }) };
  const { facts, missingIds } = await client.listConversationFacts(request, options);
  const isMissing = new Set(missingIds);
  return [
    ...facts.map((one) => ({ workspaceId: one.workspaceId, interactionId: one.interactionId, facts: one })),
    ...conversations
      .filter(({ interactionId }) => isMissing.has(interactionId))
      .map(({ workspaceId, interactionId }) => ({ workspaceId, interactionId, facts: undefined })),
  ];
}
