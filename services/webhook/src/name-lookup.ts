import { lookup, Resolver } from 'node:dns/promises';

/** The IP addresses of a host name. Rejects when there is no such name, or nobody can say. */
export type NameLookup = (hostname: string) => Promise<string[]>;

/** Asks as every program of this machine does: also the hosts file, and with the search domains. For local runs. */
export const systemLookup: NameLookup = async (hostname) =>
  (await lookup(hostname, { all: true })).map(({ address }) => address);

/**
 * Asks the DNS servers, without any given those of `/etc/resolv.conf`, and nothing else: neither the hosts file nor search domains make a tenant's
 * name one of ours. Not by the system's function, which has four threads for all: names whose servers never answer
 * would make the others wait.
 */
export function dnsLookup(servers?: readonly string[]): NameLookup {
  // The second try waits twice as long.
  const resolver = new Resolver({ timeout: 1_000, tries: 2 });
  if (servers) resolver.setServers(servers);
  return async (hostname) => {
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    if (v4.status === 'rejected' && v6.status === 'rejected') throw v4.reason;
    return [v4, v6].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  };
}
