import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** An address and how many of its bits are those of the network. */
export type Network = [Address, number];

/**
 * What is not public Internet: the IANA special-purpose registry (also where it says "globally reachable": nobody
 * receives webhooks at an AS112 or AMT relay), multicast, and the address by which Azure's machines reach their host.
 */
const specialV4 = networks(`
  0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24
  192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15 198.51.100.0/24
  203.0.113.0/24 224.0.0.0/4 240.0.0.0/4 168.63.129.16/32`);

/** All that is allocated for unicast. Outside are loopback, mapped, translated, local, discard, SRv6, multicast, ... */
const unicastV6 = networks('2000::/3');

/** What is special within: protocol assignments (Teredo, ORCHID, benchmarking, ...), documentation, 6to4, AS112. */
const specialV6 = networks('2001::/23 2001:db8::/32 2002::/16 2620:4f:8000::/48 3fff::/20');

/** What resolvers make of IPv4 addresses where there is only IPv6 (RFC 6052): as public as the address in its end. */
const nat64 = networks('64:ff9b::/96');

/** Whether a text is an IP address in its usual form. */
export function isAddress(text: string): boolean {
  return isIP(text) !== 0;
}

/** Whether a text is an IP address, in its usual form, of the public Internet. */
export function isPublicAddress(text: string): boolean {
  return isAddress(text) && isPublic(ipaddr.parse(text));
}

/** Whether a text is an IP address, in its usual form, of one of the networks. */
export function isAddressIn(text: string, list: readonly Network[]): boolean {
  return isAddress(text) && isIn(ipaddr.parse(text), list);
}

/** The network that a CIDR, or an address alone, stands for. Throws when it is neither. */
export function parseNetwork(text: string): Network {
  if (text.includes('/')) return ipaddr.parseCIDR(text);
  const address = ipaddr.parse(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

function isPublic(address: Address): boolean {
  if (!('parts' in address)) return !isIn(address, specialV4);
  if (isIn(address, nat64)) return isPublic(new ipaddr.IPv4(address.toByteArray().slice(-4)));
  return isIn(address, unicastV6) && !isIn(address, specialV6) && !isIsatap(address);
}

/** An IPv4 address in an interface id, below any prefix (RFC 5214). Nobody needs it, so it is not looked into. */
function isIsatap({ parts }: ipaddr.IPv6): boolean {
  // Two bits of the id say only whether it is unique.
  return parts[5] === 0x5efe && ((parts[4] ?? 0) & 0xfcff) === 0;
}

function isIn(address: Address, list: readonly Network[]): boolean {
  return list.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits));
}

function networks(list: string): Network[] {
  return list.trim().split(/\s+/).map(parseNetwork);
}
