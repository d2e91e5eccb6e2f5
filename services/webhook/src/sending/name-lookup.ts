import { lookup, Resolver } from 'node:dns/promises';
import { OwnFault } from './attempt-error.ts';

/**
 * The IP addresses of a host name. Rejects when there is no such name, or nobody can say; with `OwnFault` when no DNS
 * server of ours is there.
 */
export type NameLookup = (hostname: string) => Promise<string[]>;

/** Asks as every program of this machine does: also the hosts file, and with the search domains. For local runs. */
export const systemLookup: NameLookup = async (hostname) =>
  (await lookup(hostname, { all: true })).map(({ address }) => address);

/** A name that servers answer for themselves, shortly (RFC 6761, section 6.4): none is asked for it on the Internet. */
const neutralName = 'invalid';

/**
 * Asks the DNS servers, without any given those of `/etc/resolv.conf`, and nothing else: neither the hosts file nor search domains make a tenant's
 * name one of ours. Not by the system's function, which has four threads for all: names whose servers never answer
 * would make the others wait.
 */
export function dnsLookup(servers?: readonly string[]): NameLookup {
  // The second try waits twice as long.
  const resolver = new Resolver({ timeout: 1_000, tries: 2 });
  if (servers) resolver.setServers(servers);

  /** Whether nothing listens where our servers should be: every answer, also that there is none, is somebody's. */
  const isNobodyThere = async (): Promise<boolean> => {
    try {
      await resolver.resolve4(neutralName);
      return false;
    } catch (cause) {
      return isRefusedConnection(cause);
    }
  };

  return async (hostname) => {
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    if (v4.status === 'rejected' && v6.status === 'rejected') {
      const cause: unknown = v4.reason;
      // Who owns a name can have this said of it, by an answer too long for UDP, where the server takes no TCP.
      if (isRefusedConnection(cause) && (await isNobodyThere())) {
        throw new OwnFault('no DNS server can be reached', { cause });
      }
      throw cause;
    }
    return [v4, v6].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  };
}

/** c-ares has other codes for what servers answer. */
function isRefusedConnection(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === 'ECONNREFUSED';
}
