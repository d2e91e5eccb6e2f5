import type { CallOptions } from '@parley/rpc/definition';
import { entityTag } from '../http/request/conditional.ts';
import { callOf } from '../http/answer/request-context.ts';
import { type Resource, sendFile } from '../http/answer/resource.ts';
import type { Peers } from '../peers.ts';

const fields = {
  // A verifier that meets an unknown key loads the keys again.
  'Cache-Control': 'public, max-age=300',
  'Access-Control-Allow-Origin': '*',
};

/**
 * Returns the public keys of erasure receipts: a JWK Set (RFC 7517, RFC 8037), the newest key first. Anyone can ask for
 * them, so concurrent requests share calls. They are not cached: a receipt can be verified as soon as it exists.
 */
export function erasureKeysResource(customers: Pick<Peers['customers'], 'listErasureKeys'>): Resource {
  const load = shared((rpc: CallOptions) => customers.listErasureKeys({}, rpc));
  return {
    path: '/.well-known/parley/erasure-keys',
    callsServices: true,
    show: async (context) => {
      const { keys } = await load(() => callOf({ ...context, givenUp: undefined }).rpc());
      const shown = keys.map(({ kid, x }) => ({
        kty: 'OKP',
        crv: 'Ed25519',
        alg: 'EdDSA',
        use: 'sig',
        kid,
        x,
      }));
      const content = JSON.stringify({ keys: shown });
      const type = 'application/json; charset=utf-8';
      sendFile(context, { type, content, tag: entityTag(content) }, fields);
    },
  };
}

/**
 * Returns a function that calls `load` for one caller at a time. Callers that come meanwhile share the next call, so
 * each gets what was true after it came. The first of them gives the options: its departure must not end the call.
 */
function shared<Loaded>(load: (rpc: CallOptions) => Promise<Loaded>) {
  let current: Promise<unknown> = Promise.resolve();
  let next: Promise<Loaded> | undefined;
  return (rpc: () => CallOptions): Promise<Loaded> => {
    next ??= current
      .catch(() => {})
      .then(() => {
        next = undefined;
        const loading = load(rpc());
        current = loading;
        return loading;
      });
    return next;
  };
}
