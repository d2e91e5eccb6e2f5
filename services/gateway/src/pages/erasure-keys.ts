import { entityTag } from '../http/conditional.ts';
import { callOf } from '../http/request-context.ts';
import { type Resource, sendFile } from '../http/resource.ts';
import type { Peers } from '../peers.ts';

const fields = {
  // A verifier that meets an unknown key loads the keys again.
  'Cache-Control': 'public, max-age=300',
  'Access-Control-Allow-Origin': '*',
};

/** Returns the public keys of erasure receipts: a JWK Set (RFC 7517, RFC 8037), the newest key first. */
export function erasureKeysResource(customers: Pick<Peers['customers'], 'listErasureKeys'>): Resource {
  return {
    path: '/.well-known/parley/erasure-keys',
    show: async (context) => {
      const { keys } = await customers.listErasureKeys({}, callOf(context).rpc());
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
