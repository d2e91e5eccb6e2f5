import {
  eventRetentionDays,
  loadConfig,
  natsStreamReplicas,
  natsUrl,
  optional,
  peerAddress,
  serviceVariables,
  httpUrl,
} from '@parley/runtime/config/config';
import { keyring } from '@parley/runtime/config/keyring';
import { serviceSettings } from '@parley/runtime/config/service-settings';
import { z } from 'zod';
import type { ModelConfig } from './model/model.ts';

const environment = z
  .object({
    ...serviceVariables,
    NATS_URL: natsUrl,
    IDENTITY_ADDRESS: peerAddress,
    NATS_STREAM_REPLICAS: natsStreamReplicas,
    CUSTOMER_ADDRESS: peerAddress,
    EVENT_RETENTION_DAYS: eventRetentionDays,
    LINK_KEYS: keyring,
    LANDING_URL: httpUrl,
    LLM_BASE_URL: optional(z.url({ protocol: /^https?$/ })),
    // A value that is no valid header would appear in an error.
    LLM_API_KEY: optional(z.string().regex(/^[\x21-\x7e]+$/, 'must be printable ASCII without spaces')),
    LLM_MODEL: optional(z.string()),
    LLM_TIMEOUT_MS: optional(z.coerce.number().int().min(100).max(120_000)),
  })
  .refine((env) => (env.LLM_BASE_URL === undefined) === (env.LLM_MODEL === undefined), {
    path: ['LLM_MODEL'],
    message: 'must be set together with LLM_BASE_URL',
  })
  .transform((env) => ({
    ...serviceSettings(env),
    natsUrl: env.NATS_URL,
    identityAddress: env.IDENTITY_ADDRESS,
    streamReplicas: env.NATS_STREAM_REPLICAS,
    customerAddress: env.CUSTOMER_ADDRESS,
    eventRetentionDays: env.EVENT_RETENTION_DAYS,
    /** Keys of the MACs in link tokens. */
    linkKeys: env.LINK_KEYS,
    /** Without a trailing slash. */
    landingUrl: env.LANDING_URL.replace(/\/+$/, ''),
    /** The model of `llm` steps; without one, they fail. */
    model: modelOf(env.LLM_BASE_URL, env.LLM_MODEL, env.LLM_API_KEY),
    /** The time limit of a question to the model, retries included. */
    modelTimeoutMs: env.LLM_TIMEOUT_MS ?? 15_000,
  }));

export type Config = z.output<typeof environment>;

function modelOf(baseUrl?: string, model?: string, apiKey?: string): ModelConfig | undefined {
  return baseUrl === undefined || model === undefined ? undefined : { baseUrl, model, apiKey };
}

/** Throws `ConfigError` with every fault at once. */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  return loadConfig(environment, env);
}
