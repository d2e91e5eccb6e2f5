import type { CreateWorkspaceRequest } from '@parley/contracts/identity/v1/identity';
import type { Fault } from '@parley/runtime/errors';
import { getDomain } from 'tldts';
import { lineFaults } from './branding-faults.ts';

const nameCharactersMax = 255;
const domainsMax = 100;
const domainCharactersMax = 2048;

/** Returns every fault of a new workspace. A name has 1 to 255 code points. Domains: `domainFaults`. */
export function workspaceFaults({ name, allowedDomains }: CreateWorkspaceRequest): Fault[] {
  return [...lineFaults('/name', name, nameCharactersMax), ...domainFaults(allowedDomains)];
}

/**
 * Returns every fault of allowed domains. Each is the http or https URL of an origin, such as
 * `https://shop.example.com`, with an optional port and final slash. `https://*.example.com` matches every host below
 * `example.com`. A `*` directly below a public suffix (publicsuffix.org, with private suffixes such as `github.io`) is
 * a fault: anybody can register a host there.
 */
export function domainFaults(allowedDomains: readonly string[]): Fault[] {
  const faults: Fault[] = [];
  if (allowedDomains.length > domainsMax) {
    faults.push({ pointer: '/allowedDomains', detail: `Must have at most ${domainsMax} entries` });
  }
  for (const [index, domain] of allowedDomains.entries()) {
    const detail = originFault(domain);
    if (detail) faults.push({ pointer: `/allowedDomains/${index}`, detail });
  }
  return faults;
}

function originFault(text: string): string | undefined {
  // The URL parser removes blanks and control characters, and adds slashes.
  const isInForm =
    text.length <= domainCharactersMax && /^https?:\/\/(?:\*\.)?[^\s\p{Cc}\\/?#@*]+\/?$/iu.test(text);
  const url = isInForm ? URL.parse(text.replace('*.', '')) : null;
  if (!url) return 'Must be the http or https URL of an origin, such as https://shop.example.com';
  const isOpenToAll = text.includes('*') && !getDomain(url.hostname, { allowPrivateDomains: true });
  return isOpenToAll ? `Must not allow every host below the public suffix ${url.hostname}` : undefined;
}
