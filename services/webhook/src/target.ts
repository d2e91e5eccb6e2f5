import ipaddr from 'ipaddr.js';

const lengthMax = 2_048;

interface TargetPolicy {
  /** Allows http and addresses that are not public: for local runs and closed networks. */
  allowsPrivate: boolean;
}

/**
 * What is wrong with a webhook's URL, or undefined when events may be sent there. http or https, no user or password,
 * at most 2,048 characters; without `allowsPrivate` https only, and neither localhost nor an address that is not public.
 * Names are resolved when a connection is made (`publicLookup`). WHATWG URL turns octal, hexadecimal and short IPv4 forms into the usual one first.
 */
export function targetFault(text: string, { allowsPrivate }: TargetPolicy): string | undefined {
  if (text.length > lengthMax) return `must be at most ${lengthMax} characters`;
  const url = URL.parse(text);
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) return 'must be an http or https URL';
  if (url.username || url.password) return 'must not hold a user name or password';
  if (allowsPrivate) return undefined;
  if (url.protocol !== 'https:') return 'must be an https URL';
  if (!isPublicHost(url.hostname)) return 'must not point to a private or special address';
  return undefined;
}

function isPublicHost(hostname: string): boolean {
  const host = hostname.replace(/\.$/, '');
  if (host === 'localhost' || host.endsWith('.localhost')) return false;
  const literal = host.startsWith('[') ? host.slice(1, -1) : host;
  return !ipaddr.isValid(literal) || isPublicAddress(literal);
}

/** Whether an IP address is one of the public Internet. */
export function isPublicAddress(address: string): boolean {
  // Everything that embeds an IPv4 address (mapped, NAT64, 6to4, Teredo) is a range of its own, and so is not unicast.
  return ipaddr.parse(address).range() === 'unicast';
}
