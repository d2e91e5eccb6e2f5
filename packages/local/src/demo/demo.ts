import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { IdentityAdminServiceService, IdentityServiceService } from '@parley/contracts/identity/v1/identity';
import { BotServiceService } from '@parley/contracts/interaction/v1/bot';
import type { DatabaseService } from '@parley/contracts/services';
import { connect } from '@parley/rpc/connect';
import type { RpcClient } from '@parley/rpc/definition';
import { openTls } from '@parley/rpc/tls';
import type { RpcTlsFiles } from '@parley/runtime/config/config';
import { createLogger } from '@parley/runtime/telemetry/logger';
import { z } from 'zod';
import { readJson, writePrivateJson } from '../files/private-files.ts';

/** The bots of every demo workspace, by the `key` of their definitions. */
const sampleBots = ['nps-follow-up', 'candidate-screening', 'appointment-reminder', 'tea-survey'] as const;

export type SampleBot = (typeof sampleBots)[number];

const demoSchema = z.object({
  workspaceId: z.string(),
  apiKey: z.string(),
  apiSecret: z.string(),
  sdkSecret: z.object({ kid: z.string(), secret: z.string() }),
});

/** The content for newcomers and tests: a workspace with a key, an SDK secret and the sample bots. */
export interface Demo extends z.output<typeof demoSchema> {
  /** Bot ids by the key of the definition. */
  bots: Record<SampleBot, string>;
}

/** The addresses of a run's services for the operator, and the token. Stored in `operator.json`. */
export interface OperatorAccess extends Record<DatabaseService, string> {
  operatorToken: string;
  /** The token of a consumer of events of another team. */
  consumerToken: string;
  /** The token of a consumer that may also read the bodies of events. */
  bodyReaderToken: string;
  /** The URL of NATS with the user of each consumer that was added to the data folder, by its name. */
  consumers?: Record<string, string>;
  /** The certificate of the command line, if calls between services use TLS. */
  tls?: RpcTlsFiles;
  /** The certificates of consumers, if calls between services use TLS. */
  consumerTls?: Record<'consumer' | 'bodyreader', RpcTlsFiles>;
}

const call = { requestId: 'local-demo', timeoutMs: 10_000 };

/**
 * Returns the demo of the data folder, which its first start creates with the calls of the command line.
 * Replaces a key that no longer works, and recreates a workspace that is missing in the database.
 */
export async function ensureDemo(dataDir: string, baseUrl: string, access: OperatorAccess): Promise<Demo> {
  const path = join(dataDir, 'demo.json');
  const token = access.operatorToken;
  await using tls = openTls(access.tls, 'cli', createLogger('local', 'silent'));
  using identityPeer = connect(access.identity, { token, tls: tls?.to('identity') });
  using interactionPeer = connect(access.interaction, { token, tls: tls?.to('interaction') });
  const admin = identityPeer.client(IdentityAdminServiceService);
  const identity = identityPeer.client(IdentityServiceService);

  const saved = await readJson(path, demoSchema, 'bring it back, or remove it for a new demo workspace');
  const { workspaces } = await admin.listWorkspaces({}, call);
  const kept = workspaces.some(({ id }) => id === saved?.workspaceId) ? saved : undefined;
  const workspaceId =
    kept?.workspaceId ?? (await admin.createWorkspace({ name: 'Demo', allowedDomains: [] }, call)).id;
  const isKeyValid = kept !== undefined && (await isAccepted(baseUrl, kept));
  const { apiKey, apiSecret } = isKeyValid
    ? kept
    : await admin.createKey({ workspaceId, accessIds: [], scopes: [], expiresAt: null }, call);
  const { kid, secret } = kept?.sdkSecret ?? (await identity.rotateSdkSecret({ workspaceId }, call));
  await ensureBranding(identity, workspaceId);
  const bots = await ensureSampleBots(interactionPeer.client(BotServiceService), workspaceId);

  const demo: Demo = { workspaceId, apiKey, apiSecret, sdkSecret: { kid, secret }, bots };
  await writePrivateJson(path, demo);
  return demo;
}

/** Gives the workspace the look of the demo's shop, unless its branding was ever changed. */
async function ensureBranding(
  identity: RpcClient<typeof IdentityServiceService>,
  workspaceId: string,
): Promise<void> {
  const { version } = await identity.getBranding({ workspaceId }, call);
  if (version > 0) return;
  const logo = await readFile(resolve(import.meta.dirname, '../../leaf.png'));
  const change = {
    displayName: 'Fog & Leaf',
    logo,
    accentColor: '#1f5c4a',
    endText: 'Thank you! See you soon at Fog & Leaf.',
    endLink: null,
    privacyText: 'Only the team of Fog & Leaf reads your answers.',
  };
  await identity.updateBranding({ workspaceId, ...change }, call);
}

/** Returns whether the gateway accepts the key. It may have been rotated or revoked since the last run. */
async function isAccepted(
  baseUrl: string,
  { apiKey, apiSecret }: Pick<Demo, 'apiKey' | 'apiSecret'>,
): Promise<boolean> {
  const authorization = `Basic ${Buffer.from(`${apiKey}:${apiSecret}`).toString('base64')}`;
  const signal = AbortSignal.timeout(10_000);
  const response = await fetch(`${baseUrl}/v1/workspaces`, { headers: { authorization }, signal });
  await response.body?.cancel();
  return response.status !== 401;
}

export function readSampleBot(key: SampleBot): Promise<string> {
  return readFile(resolve(import.meta.dirname, `../../../bot/samples/${key}.json`), 'utf8');
}

/** Publishes the sample bots that the workspace lacks. Returns the ids of all. Idempotent. */
async function ensureSampleBots(
  bots: RpcClient<typeof BotServiceService>,
  workspaceId: string,
): Promise<Record<SampleBot, string>> {
  const ids: Partial<Record<SampleBot, string>> = {};
  for (const key of sampleBots) {
    const [existing] = (await bots.listBots({ workspaceId, key }, call)).bots;
    const request = { workspaceId, definition: await readSampleBot(key), idempotency: null };
    const bot = existing ?? (await bots.createBot(request, call)).bot;
    if (!bot) throw new Error(`the response to the publication of ${key} has no bot`);
    ids[key] = bot.id;
  }
  return ids as Record<SampleBot, string>;
}
