import { loadConfig, natsUrl, optional, serviceVariables } from '@parley/runtime/config/config';
import { keyring } from '@parley/runtime/config/keyring';
import { serviceSettings } from '@parley/runtime/config/service-settings';
import { z } from 'zod';
import { groupRoles } from './people/group-roles.ts';

/** A URL of https, or of http at a loopback address: the provider says who somebody is. */
const issuer = z.url({ protocol: /^https?$/, error: 'must be an https URL', abort: true }).refine((value) => {
  const { protocol, hostname } = new URL(value);
  return protocol === 'https:' || /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}, 'must be an https URL; http is for loopback addresses only');

const environment = z
  .object({
    ...serviceVariables,
    NATS_URL: natsUrl,
    CREDENTIAL_PEPPERS: keyring,
    ENCRYPTION_KEYS: keyring,
    OIDC_ISSUER: optional(issuer),
    OIDC_CLIENT_ID: optional(z.string()),
    OIDC_CLIENT_SECRET: optional(z.string()),
    OIDC_GROUPS_CLAIM: optional(z.string()).transform((name) => name ?? 'groups'),
    OIDC_GROUP_ROLES: optional(groupRoles),
  })
  .superRefine((env, context) => {
    const names = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'] as const;
    const missing = names.filter((name) => env[name] === undefined);
    if (missing.length === names.length && !env.OIDC_GROUP_ROLES) return;
    for (const name of missing) {
      const message = `is missing: sign-in needs ${names.join(', ')}`;
      context.addIssue({ code: 'custom', path: [name], message });
    }
  })
  .transform((env) => ({
    ...serviceSettings(env),
    natsUrl: env.NATS_URL,
    /** Keys of the digests of API secrets. Removing a pepper revokes the secrets under it. */
    peppers: env.CREDENTIAL_PEPPERS,
    encryptionKeys: env.ENCRYPTION_KEYS,
    /** The provider with which people sign in (OpenID Connect). Undefined: they sign in by links. */
    provider:
      env.OIDC_ISSUER && env.OIDC_CLIENT_ID && env.OIDC_CLIENT_SECRET
        ? {
            issuer: env.OIDC_ISSUER,
            clientId: env.OIDC_CLIENT_ID,
            clientSecret: env.OIDC_CLIENT_SECRET,
            groupsClaim: env.OIDC_GROUPS_CLAIM,
            groupRoles: env.OIDC_GROUP_ROLES ?? [],
          }
        : undefined,
  }));

export type Config = z.output<typeof environment>;

/** Throws `ConfigError` with every fault at once. */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  return loadConfig(environment, env);
}
