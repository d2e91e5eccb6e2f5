import { isIPv4, isIPv6 } from 'node:net';

/**
 * What the calls from an address are counted under: an IPv4 address itself, also where it is written as IPv6; of an IPv6
 * address its /64 network, all of which one client commonly has. A port is left out. Whatever is no address counts as
 * one.
 */
export function addressGroupOf(address: string | undefined): string {
  const [, bracketed, dotted] = /^(?:\[(.*)\](?::\d+)?|([\d.]+):\d+)$/.exec(address ?? '') ?? [];
  const bare = (bracketed ?? dotted ?? address ?? '').replace(/%.*$/, '');
  if (isIPv4(bare)) return bare;
  if (!isIPv6(bare)) return 'unknown';
  const words = wordsOf(bare);
  const [high = 0, low = 0] = words.slice(6);
  const isMapped = words.slice(0, 5).every((word) => word === 0) && words[5] === 0xffff;
  if (isMapped) return [high >> 8, high & 255, low >> 8, low & 255].join('.');
  return `${words
    .slice(0, 4)
    .map((word) => word.toString(16))
    .join(':')}::/64`;
}

/** The eight words of an IPv6 address. A URL writes each address in one way only, without dotted numbers. */
function wordsOf(address: string): number[] {
  const written = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = [], tail = []] = written
    .split('::')
    .map((half) => (half === '' ? [] : half.split(':').map((word) => Number.parseInt(word, 16))));
  return [...head, ...Array<number>(8 - head.length - tail.length).fill(0), ...tail];
}
