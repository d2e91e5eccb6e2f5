import { lookup, Resolver } from 'node:dns/promises';
import { OwnFault } from './attempt-error.ts';

/** Resolves a host name to IP addresses. Rejects when it has none; with `OwnFault` when no DNS server is reachable. */
export type NameLookup = (hostname: string) => Promise<string[]>;

/** Resolves as every program of this machine does, with the hosts file and search domains. For local runs. */
export const systemLookup: NameLookup = async (hostname) =>
  (await lookup(hostname, { all: true })).map(({ address }) => address);

/** A name that DNS servers answer themselves, without the Internet (RFC 6761, 6.4). */
const neutralName = 'invalid';

/**
 * Resolves by DNS only, by default with the servers of `/etc/resolv.conf`. The hosts file and search domains would make
 * internal names of a tenant's names. `getaddrinfo` has four threads for the process, which names with silent servers
 * would hold.
 */
export function dnsLookup(servers?: readonly string[]): NameLookup {
  // The second try waits twice as long.
  const resolver = new Resolver({ timeout: 1_000, tries: 2 });
  if (servers) resolver.setServers(servers);

  return async (hostname) => {
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    if (v4.status === 'rejected' && v6.status === 'rejected') {
      const cause: unknown = v4.reason;
      // The owner of a name can cause this too, by a response too long for UDP where the server accepts no TCP.
      if (isRefused(cause) && isRefused(await resolver.resolve4(neutralName).catch((error) => error))) {
        throw new OwnFault('no DNS server can be reached', { cause });
      }
      throw cause;
    }
    return [v4, v6].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  };
}

/** Whether nothing listens at the server's port. c-ares has other codes for what servers answer. */
function isRefused(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === 'ECONNREFUSED';
}
