import { z } from 'zod';
import { inWorkspace, type Route, route } from '../http/route.ts';

const rotateApiKeySecret = route({
  method: 'POST',
  path: '/v1/workspaces/{workspaceId}/apikeys/rotate',
  access: 'key',
  operationId: 'rotateApiKeySecret',
  clientMethod: 'keys.rotateApiKeySecret',
  tag: 'Keys and secrets',
  summary: "Replace the API key's secret; only in the workspace that the key was created for",
  description: `After the answer, no gateway accepts the old secret. The new one is shown only once, so an
\`Idempotency-Key\` is rejected (400). Of concurrent calls with the same secret, one succeeds and the others get 401.`,
  errors: ['not-home-workspace'],
  params: inWorkspace,
  data: z.strictObject({ secret: z.string().meta({ examples: ['prl_sec_...'] }) }),
  idempotencyKey: 'refused',
  // The usual limit, and the three seconds that a rotation waits for a gateway that cannot be notified.
  timeoutMs: 8_000,
  handle: async ({ params: { workspaceId } }, call, { identity }) => {
    const { apiKey, version } = call.principal;
    return { data: await identity.rotateSecret({ workspaceId, apiKey, version }, call.rpc()) };
  },
});

/** Rotation of the API key's secret. */
export const keyRoutes: Route[] = [rotateApiKeySecret];
