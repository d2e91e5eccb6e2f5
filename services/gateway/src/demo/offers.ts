import type { CallOptions } from '@parley/rpc/definition';
import { AppError } from '@parley/runtime/errors';
import { required } from '../values/message.ts';
import { linkToken, ownConversation, personalValue } from '../values/reader.ts';
import type { Peers } from '../peers.ts';
import type { Demo } from './demo-file.ts';

/** The newest conversation of the customer, as the staff of the shop sees it. */
export interface NewestConversation {
  interactionId: string;
  status: string;
  /** The evaluation so far. Null before the start. */
  evaluation: Record<string, string> | null;
}

/**
 * Offers a conversation to the customer. Expires waiting ones, because the widget would show them first. Returns the id
 * and the end of the link of the interaction.
 */
export async function offerConversation(
  interactions: Peers['interactions'],
  { workspaceId, customerId }: Demo,
  { botId, priority, context }: Demo['offers'][string],
  rpc: () => CallOptions,
): Promise<{ id: string; linkToken: string }> {
  const { interactions: former } = await interactions.listCustomerInteractions(
    { workspaceId, customerId },
    rpc(),
  );
  const open = former.filter(({ status }) => status === 'Pending' || status === 'InProgress');
  await Promise.all(open.map(({ id }) => takeBack(interactions, workspaceId, id, rpc)));
  const made = await interactions.createInteraction(
    {
      workspaceId,
      customerId,
      botId,
      priority,
      context,
      status: 'Pending',
      expirySeconds: null,
      idempotency: null,
    },
    rpc(),
  );
  const interaction = required(made.interaction);
  return { id: interaction.id, linkToken: linkToken(interaction.linkToken, ownConversation) };
}

async function takeBack(
  interactions: Peers['interactions'],
  workspaceId: string,
  id: string,
  rpc: () => CallOptions,
): Promise<void> {
  try {
    await interactions.updateInteraction({ workspaceId, id, status: 'Expired' }, rpc());
  } catch (error) {
    // It has ended meanwhile.
    if (!(error instanceof AppError) || error.code !== 'failed_precondition') throw error;
  }
}

export async function newestConversation(
  interactions: Peers['interactions'],
  { workspaceId, customerId }: Demo,
  rpc: () => CallOptions,
): Promise<NewestConversation | null> {
  const { interactions: former } = await interactions.listCustomerInteractions(
    { workspaceId, customerId },
    rpc(),
  );
  const [newest] = former;
  if (!newest) return null;
  const text = newest.data && personalValue(newest.data, ownConversation, () => null);
  const history = text ? (JSON.parse(text) as Pick<NewestConversation, 'evaluation'>) : undefined;
  return { interactionId: newest.id, status: newest.status, evaluation: history?.evaluation ?? null };
}
