import { BlockList, isIPv4, isIPv6 } from 'node:net';

/**
 * Networks that are not public: the IANA special-purpose registry (with the "globally reachable" AS112 and AMT relays,
 * which receive no webhooks), multicast, and the address at which Azure's machines reach their host.
 */
const specialV4 = `
  0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24
  192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15 198.51.100.0/24
  203.0.113.0/24 224.0.0.0/4 240.0.0.0/4 168.63.129.16/32`;

/** NAT64 of these networks (RFC 6052): resolvers of IPv6-only networks return such addresses. */
const specialNat64 = specialV4.replaceAll(
  /(\S+)\/(\d+)/g,
  (_, address, bits) => `64:ff9b::${address}/${96 + +bits}`,
);

/** In unicast IPv6: protocol assignments (Teredo, ORCHID, benchmarking, ...), documentation, 6to4, AS112. */
const specialV6 = '2001::/23 2001:db8::/32 2002::/16 2620:4f:8000::/48 3fff::/20';

const special = parseNetwork(`${specialV4} ${specialNat64} ${specialV6}`);

/** Allocated unicast, and NAT64. Loopback, mapped, local, discard, SRv6 and multicast addresses are outside. */
const unicastV6 = parseNetwork('2000::/3 64:ff9b::/96');

/**
 * ISATAP: an IPv4 address in an interface id, below any prefix (RFC 5214). All are refused, whatever the IPv4 address.
 * Two bits of the id only say whether it is unique.
 */
const isatap = /:(?:0*|0?[123]00):5efe:(?:[\da-f]*:[\da-f]*|[\d.]+\.\d+)$/i;

const mappedV6 = parseNetwork('::ffff:0:0/96');

/** Returns whether a text is an IP address, in its usual form, of the public Internet. */
export function isPublicAddress(text: string): boolean {
  if (isIPv4(text)) return !special.check(text);
  if (!isIPv6(text) || isatap.test(text)) return false;
  return unicastV6.check(text, 'ipv6') && !special.check(text, 'ipv6');
}

/** Returns whether a text is an IP address, in its usual form, of one of the networks. */
export function isAddressIn(text: string, list: readonly BlockList[]): boolean {
  if (isIPv4(text)) return list.some((network) => network.check(text));
  // `BlockList` treats a mapped address as the IPv4 address in it.
  if (!isIPv6(text) || mappedV6.check(text, 'ipv6')) return false;
  return list.some((network) => network.check(text, 'ipv6'));
}

/** Returns the network of one or more addresses or CIDRs, separated by spaces. Throws for any other text. */
export function parseNetwork(text: string): BlockList {
  const network = new BlockList();
  for (const cidr of text.trim().split(/\s+/)) {
    const [address = '', bits] = cidr.split('/');
    if (isIPv4(address)) network.addSubnet(address, Number(bits ?? 32));
    else network.addSubnet(address, Number(bits ?? 128), 'ipv6');
  }
  return network;
}
