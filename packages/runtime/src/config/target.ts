import { isIP, isIPv6 } from 'node:net';

/** The replicas of a process: a list of addresses, or all addresses of a name. */
export type RpcTarget = { addresses: string[] } | { name: string; port: number };

/**
 * Parses `host:port`, `dns:///name:port`, `ipv4:a:p,b:p` or `ipv6:[a]:p,[b]:p`, ports from 1 to 65535.
 * Returns addresses as `ipv4:a:p`, `ipv6:[a]:p`. Throws for anything else.
 */
export function parseTarget(target: string): RpcTarget {
  const listed = /^ipv[46]:(.+)$/.exec(target)?.[1];
  if (listed) return { addresses: listed.split(',').map((one) => addressOf(hostAndPort(one))) };
  const { host, port } = hostAndPort(target.replace(/^dns:(\/\/\/)?/, ''));
  return isIP(host) === 0 ? { name: host, port } : { addresses: [addressOf({ host, port })] };
}

/** Returns whether `parseTarget` accepts the text. */
export function isTarget(text: string): boolean {
  try {
    parseTarget(text);
    return true;
  } catch {
    return false;
  }
}

/** Formats an IP address with its port for a target: `ipv4:a:p` or `ipv6:[a]:p`. Throws for a name. */
export function addressOf({ host, port }: Place): string {
  const version = isIP(host);
  if (version === 0) throw new Error(`not an address with a port: ${host} is no IP address`);
  return version === 6 ? `ipv6:[${host}]:${port}` : `ipv4:${host}:${port}`;
}

interface Place {
  host: string;
  port: number;
}

function hostAndPort(text: string): Place {
  const [, inBrackets, plain, digits] = /^(?:\[([^\]]+)\]|([\w.-]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = inBrackets && isIPv6(inBrackets) ? inBrackets : plain;
  const port = Number(digits);
  if (!host || port < 1 || port > 65_535) throw new Error(`not an address with a port: ${text}`);
  return { host, port };
}
