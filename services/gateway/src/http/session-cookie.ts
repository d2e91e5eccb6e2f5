import { memberLimits } from '@parley/contracts/limits';

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
  /** The token of a session. */
  session: ConsoleCookie;
  /** A sign-in until the provider answers. */
  signIn: ConsoleCookie;
}

/** Returns the cookies of a site. `siteUrl` is the URL of the gateway for browsers. */
export function createConsoleCookies(siteUrl: string): ConsoleCookies {
  const { protocol: scheme } = new URL(siteUrl);
  const isSecure = scheme === 'https:';
  return {
    scheme,
    session: createCookie('parley-session', memberLimits.sessionSecondsMax, isSecure),
    signIn: createCookie('parley-sign-in', memberLimits.signInSecondsMax, isSecure),
  };
}

function createCookie(plainName: string, seconds: number, isSecure: boolean): ConsoleCookie {
  const name = isSecure ? `__Host-${plainName}` : plainName;
  const field = (value: string, maxAge: number): string =>
    `${name}=${value}; Max-Age=${maxAge}; Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
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
