import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { isPublicAddress } from './target.ts';

/** The code of the error for a name that leads to an address which is not public. */
export const blockedCode = 'EBLOCKED';

/**
 * Resolves a name for the connection that is about to be made, and refuses it when any of its addresses is private or
 * special: a name that was harmless when its webhook was made may lead inside by now (DNS rebinding).
 */
export const publicLookup: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, []);
    if (!addresses.every(({ address }) => isPublicAddress(address))) {
      return callback(
        Object.assign(new Error('the name leads to an address that is not public'), { code: blockedCode }),
        [],
      );
    }
    const [first] = addresses;
    if (options.all || !first) return callback(null, addresses);
    callback(null, first.address, first.family);
  });
};
