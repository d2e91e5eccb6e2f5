import { type BlockList, isIP } from 'node:net';
import { isAddressIn, isPublicAddress } from './public-address.ts';

const lengthMax = 2_048;

export interface TargetPolicy {
  /** Allows http, any port and addresses that are not public: for local runs. */
  allowsPrivate: boolean;
  /** Networks that are allowed although they are not public. */
  allowedNetworks: readonly BlockList[];
}

/**
 * Returns the fault of a webhook's URL; undefined if it has none. Allowed: http or https, no user or password, at most
 * 2,048 characters. Without `allowsPrivate` https only, no port of another protocol, only allowed addresses and no
 * internal name. The addresses of other names are checked when a connection is made (`createDial`). WHATWG URL first
 * normalizes octal, hexadecimal, short and full-width forms.
 */
export function targetFault(text: string, policy: TargetPolicy): string | undefined {
  if (text.length > lengthMax) return `Must be at most ${lengthMax} characters`;
  const url = URL.parse(text);
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) return 'Must be an http or https URL';
  if (url.username || url.password) return 'Must not have a user name or password';
  if (policy.allowsPrivate) return undefined;
  if (url.protocol !== 'https:') return 'Must be an https URL';
  if (!isAllowedPort(url.port)) return 'Must not use the port of another protocol';
  if (!isAllowedHost(url.hostname, policy)) return 'Must not point to a private or special address';
  return undefined;
}

export function isAllowedAddress(address: string, policy: TargetPolicy): boolean {
  return policy.allowsPrivate || isPublicAddress(address) || isAddressIn(address, policy.allowedNetworks);
}

/** Internal host names: RFC 6761, 6762 (appendix G), 8375, and names that ICANN reserves for internal use. */
const internalNames =
  /(^|\.)(localhost|localdomain|local|internal|intranet|private|corp|home|lan|home\.arpa)$|^[^.]*$/;

function isAllowedHost(hostname: string, policy: TargetPolicy): boolean {
  const host = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname.replace(/\.+$/, '');
  if (isIP(host)) return isAllowedAddress(host, policy);
  // Allowed internal networks have internal names. Their addresses are checked.
  return policy.allowedNetworks.length > 0 || !internalNames.test(host);
}

/** Ports from 1024 of other protocols: the bad ports of WHATWG Fetch, databases, brokers and control planes. */
const otherProtocols = new Set([
  1433, 1521, 1719, 1720, 1723, 2049, 2181, 2375, 2376, 2377, 2379, 2380, 3306, 3389, 3659, 4045, 4190, 4222,
  4369, 5060, 5061, 5432, 5433, 5672, 5900, 5984, 5985, 5986, 6000, 6379, 6380, 6443, 6566, 6665, 6666, 6667,
  6668, 6669, 6679, 6697, 7000, 7001, 8086, 8300, 8301, 8302, 8500, 8600, 9042, 9092, 9160, 9200, 9300, 10080,
  10250, 10255, 11211, 15672, 25565, 26257, 27017, 27018, 27019, 50000, 61616,
]);

/** `port` as in a URL: empty for the default port. */
function isAllowedPort(port: string): boolean {
  const number = Number(port || 443);
  return number === 443 || number === 80 || (number >= 1_024 && !otherProtocols.has(number));
}
