import {
  count,
  eventRetentionDays,
  flag,
  loadConfig,
  natsUrl,
  networks,
  optional,
  peerAddress,
  serviceVariables,
} from '@parley/runtime/config/config';
import { keyring } from '@parley/runtime/config/keyring';
import { serviceSettings } from '@parley/runtime/config/service-settings';
import { z } from 'zod';
import { standardDelaysMs } from './scheduling/attempts/backoff.ts';
import { parseNetwork } from './sending/public-address.ts';

const delaysMs = z.string().transform((value, context) => {
  const delays = value.split(',').map((part) => Number(part.trim() || Number.NaN) * 1_000);
  if (delays.every((delay) => Number.isFinite(delay) && delay >= 0)) return delays;
  context.addIssue({ code: 'custom', message: 'must be numbers of seconds, separated by commas' });
  return z.NEVER;
});

const proxyUrl = optional(
  z
    .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
    .transform((url) => new URL(url))
    .refine(
      ({ username, password }) => [username, password].every(isPercentEncoded),
      'must have user and password percent-encoded',
    ),
);

function isPercentEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

const environment = z
  .object({
    ...serviceVariables,
    NATS_URL: natsUrl,
    IDENTITY_ADDRESS: peerAddress,
    CUSTOMER_ADDRESS: peerAddress,
    INTERACTION_ADDRESS: peerAddress,
    EVENT_RETENTION_DAYS: eventRetentionDays,
    ENCRYPTION_KEYS: keyring,
    ALLOW_PRIVATE_WEBHOOKS: optional(flag),
    WEBHOOK_ALLOWED_NETWORKS: networks.transform((entries) => entries.map(parseNetwork)),
    WEBHOOK_EGRESS_PROXY: proxyUrl,
    SECRET_TOKEN_PARAMETER: optional(z.string().regex(/^[A-Za-z0-9_.-]{1,64}$/)),
    WEBHOOK_RETRY_SCHEDULE_SECONDS: optional(delaysMs),
    WEBHOOKS_PER_WORKSPACE: optional(count.min(1)),
  })
  .transform((env) => ({
    ...serviceSettings(env),
    natsUrl: env.NATS_URL,
    identityAddress: env.IDENTITY_ADDRESS,
    customerAddress: env.CUSTOMER_ADDRESS,
    interactionAddress: env.INTERACTION_ADDRESS,
    eventRetentionDays: env.EVENT_RETENTION_DAYS,
    keys: env.ENCRYPTION_KEYS,
    /** Whether targets may be http and private addresses. */
    allowsPrivate: env.ALLOW_PRIVATE_WEBHOOKS ?? false,
    /** Networks that are allowed for targets although they are not public. */
    allowedNetworks: env.WEBHOOK_ALLOWED_NETWORKS,
    /** The proxy of all deliveries. Its credentials, if any, can be decoded. */
    egressProxy: env.WEBHOOK_EGRESS_PROXY,
    secretTokenParameter: env.SECRET_TOKEN_PARAMETER ?? 'secretToken',
    /** Delays after the first, second, ... failed attempt. The attempt after the last delay is the last one. */
    retryDelaysMs: env.WEBHOOK_RETRY_SCHEDULE_SECONDS ?? standardDelaysMs,
    /** Limit of webhooks per workspace, active or not. One statement adds an event for all of them. */
    webhooksPerWorkspace: env.WEBHOOKS_PER_WORKSPACE ?? 100,
    connectTimeoutMs: 5_000,
    /** For an attempt with the body of the answer. */
    totalTimeoutMs: 20_000,
  }));

export type Config = z.output<typeof environment>;

/** Throws `ConfigError` with all faults. */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  return loadConfig(environment, env);
}
