import { join } from 'node:path';
import { BotServiceService } from '@parley/contracts/interaction/v1/bot';
import { IdentityAdminServiceService, IdentityServiceService } from '@parley/contracts/identity/v1/identity';
import { connect } from '@parley/rpc/connect';
import { isRecord, readKept } from './kept-file.ts';
import { writePrivateFile } from './private-file.ts';
import { ensureSampleBots, type SampleBot } from './sample-bots.ts';

/** What a newcomer and a test can use at once: a workspace with a key, an SDK secret and the sample bots. */
export interface Demo {
  workspaceId: string;
  apiKey: string;
  apiSecret: string;
  sdkSecret: { kid: string; secret: string };
  /** Bot ids by the key of the definition. */
  bots: Record<SampleBot, string>;
}

/** How the operator reaches the services of a run; `operator.json` holds it. */
export interface OperatorAccess {
  identity: string;
  customer: string;
  interaction: string;
  webhook: string;
  operatorToken: string;
}

const call = { requestId: 'local-demo', timeoutMs: 10_000 };

/**
 * The demo of the data folder, made at its first start with the calls of the command line. A key that no longer
 * works is replaced; a workspace that is gone (another database) is made anew.
 */
export async function ensureDemo(dataDir: string, baseUrl: string, access: OperatorAccess): Promise<Demo> {
  const path = join(dataDir, 'demo.json');
  using identityPeer = connect(access.identity, { token: access.operatorToken });
  using interactionPeer = connect(access.interaction, { token: access.operatorToken });
  const admin = identityPeer.client(IdentityAdminServiceService);
  const identity = identityPeer.client(IdentityServiceService);

  const saved = await readKept(path, isDemo, 'bring it back, or remove it for a new demo workspace');
  const isKept =
    saved && (await admin.listWorkspaces({}, call)).workspaces.some(({ id }) => id === saved.workspaceId);
  const kept = isKept ? saved : undefined;

  const workspaceId =
    kept?.workspaceId ?? (await admin.createWorkspace({ name: 'Demo', allowedDomains: [] }, call)).id;
  const key =
    kept && (await isAccepted(baseUrl, kept))
      ? kept
      : await admin.createKey({ workspaceId, accessIds: [] }, call);
  const sdkSecret = kept?.sdkSecret ?? (await identity.rotateSdkSecret({ workspaceId }, call));
  const bots = await ensureSampleBots(interactionPeer.client(BotServiceService), workspaceId);

  const demo: Demo = {
    workspaceId,
    apiKey: key.apiKey,
    apiSecret: key.apiSecret,
    sdkSecret: { kid: sdkSecret.kid, secret: sdkSecret.secret },
    bots,
  };
  await writePrivateFile(path, demo);
  return demo;
}

function isDemo(value: unknown): value is Demo {
  const isText = (text: unknown): boolean => typeof text === 'string';
  if (!isRecord(value)) return false;
  const { workspaceId, apiKey, apiSecret, sdkSecret } = value;
  return (
    [workspaceId, apiKey, apiSecret].every(isText) &&
    isRecord(sdkSecret) &&
    [sdkSecret['kid'], sdkSecret['secret']].every(isText)
  );
}

/** Whether the key still opens the door: it may have been rotated or revoked since the last run. */
async function isAccepted(baseUrl: string, { apiKey, apiSecret }: Demo): Promise<boolean> {
  const authorization = `Basic ${Buffer.from(`${apiKey}:${apiSecret}`).toString('base64')}`;
  const signal = AbortSignal.timeout(10_000);
  const response = await fetch(`${baseUrl}/v1/workspaces`, { headers: { authorization }, signal });
  await response.body?.cancel();
  return response.status !== 401;
}
