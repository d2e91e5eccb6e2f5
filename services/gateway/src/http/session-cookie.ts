import { memberLimits, portalLimits } from '@parley/contracts/limits';

/** A cookie of the console. Where the site is https, its name and `Secure` bind it to this host. */
export interface ConsoleCookie {
  /** Returns its value in the header field `Cookie`. */
  read(header: string | undefined): string | undefined;
  /** Returns the `Set-Cookie` field with a value. */
  set(value: string): string;
  /** Returns the `Set-Cookie` field that removes it. */
  clear(): string;
}

/** The cookies of the console. */
export interface ConsoleCookies {
  /** The scheme of the site, such as `https:`. */
  scheme: string;
  /** The token of a session of a person. */
  session: ConsoleCookie;
  /** The token of a session of the portal, whose pages may be in a frame. */
  portalSession: ConsoleCookie;
  /** A sign-in until the provider answers. */
  signIn: ConsoleCookie;
}

/** Returns the cookies of a site. `siteUrl` is the URL of the gateway for browsers. */
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
    signIn: createCookie(`${prefix}parley-sign-in`, memberLimits.signInSecondsMax, ofSite),
  };
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d+){3}$/.test(hostname);
}

function createCookie(name: string, seconds: number, attributes: string): ConsoleCookie {
  const field = (value: string, maxAge: number): string =>
    `${name}=${value}; Max-Age=${maxAge}; Path=/; HttpOnly; ${attributes}`;
  return {
    read: (header = '') => {
      for (const pair of header.split(';')) {
        const [given = '', value] = pair.trim().split('=', 2);
        if (given === name) return value;
      }
      return undefined;
    },
    set: (value) => field(value, seconds),
    clear: () => field('', 0),
  };
}
