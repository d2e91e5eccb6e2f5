import { isIP, isIPv4 } from 'node:net';

/**
 * Returns the name under which calls of an address are counted. It is the address for IPv4, also if mapped to IPv6, and
 * the /64 network for IPv6, since one client often has all of it. Ports are dropped. Invalid addresses share one name.
 */
export function addressGroupOf(address: string | undefined): string {
  const bare = clientAddressOf(address);
  if (bare === undefined) return 'unknown';
  if (isIPv4(bare)) return bare;
  const words = wordsOf(bare);
  const [high = 0, low = 0] = words.slice(6);
  const isMapped = words.slice(0, 5).every((word) => word === 0) && words[5] === 0xffff;
  if (isMapped) return [high >> 8, high & 255, low >> 8, low & 255].join('.');
  return `${words
    .slice(0, 4)
    .map((word) => word.toString(16))
    .join(':')}::/64`;
}

/** Returns an address without port and zone; undefined if it is invalid, as a proxy's header may be. */
export function clientAddressOf(address: string | undefined): string | undefined {
  const [, bracketed, dotted] = /^(?:\[(.*)\](?::\d+)?|([\d.]+):\d+)$/.exec(address ?? '') ?? [];
  const bare = (bracketed ?? dotted ?? address ?? '').replace(/%.*$/, '');
  return isIP(bare) === 0 ? undefined : bare;
}

/** Returns the eight words of an IPv6 address. `URL` normalises the address, without dotted numbers. */
function wordsOf(address: string): number[] {
  const written = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = [], tail = []] = written
    .split('::')
    .map((half) => (half === '' ? [] : half.split(':').map((word) => Number.parseInt(word, 16))));
  return [...head, ...Array<number>(8 - head.length - tail.length).fill(0), ...tail];
}
