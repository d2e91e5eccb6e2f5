import { lookup, Resolver } from 'node:dns/promises';
import { OwnFault } from './attempt-error.ts';

/** Resolves a host name to IP addresses. Rejects if it has none; with `OwnFault` if no DNS server is reachable. */
export type NameLookup = (hostname: string) => Promise<string[]>;

/** Resolves like other programs of this machine, with the hosts file and search domains. For local runs. */
export const systemLookup: NameLookup = async (hostname) =>
  (await lookup(hostname, { all: true })).map(({ address }) => address);

/** A name that DNS servers answer themselves, without the Internet (RFC 6761, 6.4). */
const neutralName = 'invalid';

/**
 * Resolves by DNS only, by default with the servers of `/etc/resolv.conf`. The hosts file and search domains could
 * turn a tenant's name into an internal one. `getaddrinfo` has four threads, which slow DNS servers would block.
 */
export function dnsLookup(servers?: readonly string[]): NameLookup {
  // The second try waits twice as long.
  const resolver = new Resolver({ timeout: 1_000, tries: 2 });
  if (servers) resolver.setServers(servers);

  return async (hostname) => {
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    if (v4.status === 'rejected' && v6.status === 'rejected') {
      const cause: unknown = v4.reason;
      // The owner of a name can cause this too: a response too long for UDP, from a server that accepts no TCP.
      if (isRefused(cause) && isRefused(await resolver.resolve4(neutralName).catch((error) => error))) {
        throw new OwnFault('no DNS server can be reached', { cause });
      }
      throw cause;
    }
    return [v4, v6].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  };
}

/** Returns whether nothing listens at the server's port. c-ares has other codes for answers of servers. */
function isRefused(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === 'ECONNREFUSED';
}
