import { z } from 'zod';
import type { Peers } from '../peers.ts';
import { inWorkspace, type Route, route } from '../http/route.ts';

/** Rotation of the API key's secret. */
export function keyRoutes({ identity }: Peers): Route[] {
  return [
    route({
      method: 'POST',
      path: '/v1/workspaces/{workspaceId}/apikeys/rotate',
      access: 'key',
      operationId: 'rotateApiKeySecret',
      tag: 'Keys and secrets',
      summary: "Replace the API key's secret; only in the workspace that the key was created for",
      description: `Once this has answered, the old secret is not accepted any more. The new one is shown this once, which is why an
\`Idempotency-Key\` is refused (400).
Of calls that race with the same secret one wins; the others are answered 401, as all calls with the old secret from then on.`,
      errors: ['not-home-workspace'],
      params: inWorkspace,
      data: z.strictObject({ secret: z.string().meta({ examples: ['prl_sec_...'] }) }),
      idempotencyKey: 'refused',
      // As any, and the three seconds that it takes when a gateway cannot be asked to forget the old secret.
      timeoutMs: 8_000,
      handle: async ({ params: { workspaceId } }, call) => {
        const { apiKey, version } = call.principal;
        return { data: await identity.rotateSecret({ workspaceId, apiKey, version }, call.rpc()) };
      },
    }),
  ];
}
