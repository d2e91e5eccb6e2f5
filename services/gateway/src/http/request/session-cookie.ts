import { memberLimits, openLinkLimits, portalLimits } from '@parley/contracts/limits';
import { AppError } from '@parley/runtime/errors';

/**
 * A cookie of the console, or of the page of an open link. Where the site is https, its name and `Secure` bind it to
 * this host.
 */
export interface ConsoleCookie {
  /** Returns its value in the header field `Cookie`. 401 if the field has it twice. */
  read(header: string | undefined): string | undefined;
  set(value: string): string;
  clear(): string;
}

export interface ConsoleCookies {
  /** The scheme of the site, such as `https:`. */
  scheme: string;
  session: ConsoleCookie;
  /** The token of a session of the portal, whose pages may be in a frame. */
  portalSession: ConsoleCookie;
  /** A sign-in until the provider answers. */
  signIn: ConsoleCookie;
  /** The conversation of an open link, whose pages may be in a frame. */
  openLink(openLinkId: string): ConsoleCookie;
}

/** `siteUrl` is the URL of the gateway for browsers. */
export function createConsoleCookies(siteUrl: string): ConsoleCookies {
  const { protocol: scheme, hostname } = new URL(siteUrl);
  const isHttps = scheme === 'https:';
  const ofSite = `SameSite=Lax${isHttps ? '; Secure' : ''}`;
  // Browsers send such a cookie in a frame of another site, and only under the same top-level site. They take it from
  // http only where the host is this machine.
  const inFrame = isHttps || isLoopback(hostname) ? 'SameSite=None; Secure; Partitioned' : ofSite;
  const prefix = isHttps ? '__Host-' : '';
  return {
    scheme,
    session: createCookie(`${prefix}parley-session`, memberLimits.sessionSecondsMax, ofSite),
    portalSession: createCookie(`${prefix}parley-portal`, portalLimits.expiresInSecondsMax, inFrame),
    openLink: (openLinkId) =>
      createCookie(`${prefix}parley-open-${openLinkId}`, openLinkLimits.continuedDays * daySeconds, inFrame),
    signIn: createCookie(`${prefix}parley-sign-in`, memberLimits.signInSecondsMax, ofSite),
  };
}

const daySeconds = 24 * 60 * 60;

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d+){3}$/.test(hostname);
}

function createCookie(name: string, seconds: number, attributes: string): ConsoleCookie {
  const field = (value: string, maxAge: number): string =>
    `${name}=${value}; Max-Age=${maxAge}; Path=/; HttpOnly; ${attributes}`;
  return {
    read: (header = '') => {
      const values = valuesOf(header, name);
      if (values.length > 1) throw givenTwice(name);
      return values[0];
    },
    set: (value) => field(value, seconds),
    clear: () => field('', 0),
  };
}

/** A value (RFC 6265, 4.1.1): octets without control characters, white space, `"`, `,`, `;` and `\`. */
const cookieValue = /^[!#-+\--:<-[\]-~]*$/;

/**
 * Returns the values of a cookie, by the grammar of RFC 6265, 4.2.1; undefined for one that is none. Nothing is
 * trimmed: browsers bind only the exact name with `__Host-` to this host, so a sibling domain may set one that begins
 * with another character.
 */
function valuesOf(header: string, name: string): (string | undefined)[] {
  return header.split('; ').flatMap((pair) => {
    if (!pair.startsWith(`${name}=`)) return [];
    const value = pair.slice(name.length + 1);
    return [cookieValue.test(value) ? value : undefined];
  });
}

/** Returns 401: another host may have planted one of the two, and the order does not tell which. */
function givenTwice(name: string): AppError {
  const detail = `The request has the cookie ${name} twice. Delete the cookies of this site and its parent domains`;
  return new AppError('unauthenticated', 'invalid-credentials', detail);
}
