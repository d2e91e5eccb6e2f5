import type { Session } from '@parley/contracts/interaction/v1/conversation';
import type { Grant } from '@parley/contracts/common/v1/grant';
import { IdentityServiceService } from '@parley/contracts/identity/v1/identity';
import { type CallerName, type MethodAccess, methodAccess } from '@parley/contracts/method-access';
import { connect, type Peer } from '@parley/rpc/connect';
import type { CallOptions, MethodDefinition, RpcClient, ServiceDefinition } from '@parley/rpc/definition';
import { createGrantSigner, type GrantSigner, keyGrantSeconds, linkHolder } from '@parley/rpc/grants';
import type { Service } from '@parley/rpc/serve';
import { keyring } from '@parley/runtime/config/keyring';
import { partialService } from './partial-service.ts';

/** Signs grants like identity, for services whose identity is `grantKeysService`. */
export const testGrants = createGrantSigner(keyring.parse(`test:${Buffer.alloc(32, 1).toString('base64')}`));

/** The part of identity that all other services need. */
export function grantKeysService(): Service {
  return partialService(IdentityServiceService, {
    listGrantKeys: async () => ({ keys: testGrants.keys, now: new Date() }),
  });
}

interface Options {
  /** The token that all services share. */
  token: string;
  grants?: GrantSigner;
  timeoutMs?: number;
}

/**
 * Connects to a service that accepts the token. Makes each call as one of the callers that may make it; as a gateway,
 * with a grant that fits the request.
 */
export function connectAsCallers(
  address: string,
  { token, grants = testGrants, timeoutMs = 30_000 }: Options,
): Pick<Peer, 'client'> & Disposable {
  const peers = new Map<CallerName, Peer>();
  const peerOf = (caller: CallerName): Peer => {
    const peer = peers.get(caller) ?? connect(address, { token, caller, timeoutMs });
    peers.set(caller, peer);
    return peer;
  };
  return {
    client: <const D extends ServiceDefinition>(definition: D) => {
      const methods: Record<string, AnyMethod> = {};
      for (const [name, { path }] of Object.entries<MethodDefinition>(definition)) {
        const access: MethodAccess = methodAccess.get(path) ?? { callers: ['gateway'], grant: 'none' };
        const caller = access.callers.find((one) => one === 'gateway') ?? access.callers[0] ?? 'gateway';
        const client: Record<string, AnyMethod> = peerOf(caller).client<ServiceDefinition>(definition);
        const needsGrant = caller === 'gateway' && access.grant !== 'none';
        methods[name] = async (request, options) =>
          client[name]?.(
            request,
            needsGrant ? { grant: grantFor(access.grant, request, grants), ...options } : options,
          );
      }
      return methods as RpcClient<D>;
    },
    [Symbol.dispose]: () => {
      for (const peer of peers.values()) peer[Symbol.dispose]();
    },
  };
}

/** A method of any client. */
type AnyMethod = (request: never, options: CallOptions) => Promise<unknown>;

interface Request {
  workspaceId?: string;
  workspaceIds?: string[];
  apiKey?: string;
  customerId?: string;
  session?: Session | null;
}

/** Returns a grant of the kind that a method needs, for a request. */
function grantFor(needed: MethodAccess['grant'], request: Request, grants: GrantSigner): string {
  const { workspaceId = '', workspaceIds = [workspaceId], apiKey = 'prl_key_test' } = request;
  const { session, customerId = '' } = request;
  const of = (ids: string[], holder: Grant['holder']): string =>
    grants.issue({ workspaceIds: ids, holder }, keyGrantSeconds);
  if (needed !== 'session') return of(workspaceIds, { $case: 'apiKey', value: apiKey });
  if (!session) return of(workspaceIds, { $case: 'customerId', value: customerId });
  const { subject } = session;
  const holder =
    subject?.$case === 'interaction'
      ? ({ $case: 'link', value: linkHolder(subject.value) } as const)
      : (subject ?? null);
  return of([session.workspaceId], holder);
}
