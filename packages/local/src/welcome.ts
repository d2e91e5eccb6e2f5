import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BotServiceService } from '@parley/contracts/interaction/v1/bot';
import { IdentityAdminServiceService } from '@parley/contracts/identity/v1/identity';
import { type Interaction, InteractionServiceService } from '@parley/contracts/interaction/v1/interaction';
import { connect } from '@parley/rpc/connect';
import type { RpcClient } from '@parley/rpc/definition';
import { AppError } from '@parley/runtime/errors';
import type { OperatorAccess } from './demo.ts';
import { writePrivateFile } from './private-file.ts';
import { ensureSampleBots } from './sample-bots.ts';

interface Welcome {
  workspaceId: string;
  interactionId: string;
}

const call = { requestId: 'local-welcome', timeoutMs: 10_000 };

/**
 * A talk that waits to be opened, as the last part of its link. It lives in a workspace of its own, so that the
 * demo workspace starts empty. The same talk is offered until it has ended; then a new one.
 */
export async function ensureWelcome(
  dataDir: string,
  access: OperatorAccess,
  rpcToken: string,
): Promise<string> {
  const path = join(dataDir, 'welcome.json');
  using operatorIdentity = connect(access.identity, { token: access.operatorToken });
  using operatorInteraction = connect(access.interaction, { token: access.operatorToken });
  using interactionPeer = connect(access.interaction, { token: rpcToken });
  const interactions = interactionPeer.client(InteractionServiceService);

  const saved = JSON.parse(await readFile(path, 'utf8').catch(() => 'null')) as Welcome | null;
  const waiting = saved && (await openInteraction(interactions, saved));
  if (waiting) return waiting.linkToken;

  const admin = operatorIdentity.client(IdentityAdminServiceService);
  const { workspaces } = await admin.listWorkspaces({}, call);
  const known = workspaces.find(({ id }) => id === saved?.workspaceId);
  const { id: workspaceId } =
    known ?? (await admin.createWorkspace({ name: 'Welcome', allowedDomains: [] }, call));
  const bots = await ensureSampleBots(operatorInteraction.client(BotServiceService), workspaceId);
  const { interaction } = await interactions.createInteraction(
    {
      workspaceId,
      customerId: 'visitor',
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
  await writePrivateFile(path, { workspaceId, interactionId: interaction.id } satisfies Welcome);
  return interaction.linkToken;
}

async function openInteraction(
  interactions: RpcClient<typeof InteractionServiceService>,
  { workspaceId, interactionId }: Welcome,
): Promise<Interaction | undefined> {
  try {
    const interaction = await interactions.getInteraction({ workspaceId, id: interactionId }, call);
    return interaction.status === 'Pending' || interaction.status === 'InProgress' ? interaction : undefined;
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return undefined;
    throw error;
  }
}
