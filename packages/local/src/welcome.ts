import { join } from 'node:path';
import { type Interaction, InteractionServiceService } from '@parley/contracts/interaction/v1/interaction';
import { connect } from '@parley/rpc/connect';
import type { RpcClient } from '@parley/rpc/definition';
import { AppError } from '@parley/runtime/errors';
import type { Demo, OperatorAccess } from './demo.ts';
import { isRecord, readKept } from './kept-file.ts';
import { writePrivateFile } from './private-file.ts';

/** A talk of the demo workspace that waits to be opened. */
export interface Welcome {
  customerId: string;
  interactionId: string;
  /** The last part of its link. */
  linkToken: string;
}

interface Saved {
  workspaceId: string;
  interactionId: string;
}

const customerId = 'visitor';
const call = { requestId: 'local-welcome', timeoutMs: 10_000 };

/** The talk that a newcomer is led to. The same is offered until it has ended; then a new one. */
export async function ensureWelcome(
  dataDir: string,
  access: OperatorAccess,
  rpcToken: string,
  { workspaceId, bots }: Demo,
): Promise<Welcome> {
  const path = join(dataDir, 'welcome.json');
  using peer = connect(access.interaction, { token: rpcToken });
  const interactions = peer.client(InteractionServiceService);

  const saved = await readKept(path, isSaved, 'remove it');
  const waiting = saved?.workspaceId === workspaceId && (await openInteraction(interactions, saved));
  if (waiting) return welcomeOf(waiting);

  const { interaction } = await interactions.createInteraction(
    {
      workspaceId,
      customerId,
      botId: bots['nps-follow-up'],
      status: 'Pending',
      priority: 'Medium',
      expirySeconds: null,
      context: [],
      idempotency: null,
    },
    call,
  );
  if (!interaction) throw new Error('the welcome talk was made without an answer');
  await writePrivateFile(path, { workspaceId, interactionId: interaction.id } satisfies Saved);
  return welcomeOf(interaction);
}

function isSaved(value: unknown): value is Saved {
  return (
    isRecord(value) && typeof value['workspaceId'] === 'string' && typeof value['interactionId'] === 'string'
  );
}

function welcomeOf({ id, linkToken }: Interaction): Welcome {
  return { customerId, interactionId: id, linkToken };
}

async function openInteraction(
  interactions: RpcClient<typeof InteractionServiceService>,
  { workspaceId, interactionId }: Saved,
): Promise<Interaction | undefined> {
  try {
    const interaction = await interactions.getInteraction({ workspaceId, id: interactionId }, call);
    return interaction.status === 'Pending' || interaction.status === 'InProgress' ? interaction : undefined;
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return undefined;
    throw error;
  }
}
