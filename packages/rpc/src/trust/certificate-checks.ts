import { createPrivateKey, X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import { dnsNamesOf } from '../client/peer-names.ts';

/** PEM texts that fit together. */
export interface UsableTexts {
  ca: string;
  cert: string;
  key: string;
  texts: string[];
  /** When the certificate expires, as a Unix time. */
  expiresAtMs: number;
}

/**
 * Returns the texts of authority, certificate and key. Throws unless peers with the same authority accept them from the
 * service `name`: they can be read, fit together, are not out of date, name it, and an authority has signed them. The
 * error has no part of the key.
 */
export function checkTexts(texts: string[], name: string): UsableTexts {
  const [ca = '', cert = '', key = ''] = texts;
  const authorities = certificatesIn(ca).map((one) =>
    parsed('an authority is no certificate', () => new X509Certificate(one)),
  );
  const own = parsed('the certificate is unreadable', () => new X509Certificate(cert));
  const privateKey = parsed('the key is unreadable', () => createPrivateKey(key));
  if (!own.checkPrivateKey(privateKey)) throw new Error('the key is not that of the certificate');
  requireInDate(own);
  const names = dnsNamesOf(own);
  if (names.length === 0) throw new Error('the certificate has no DNS name (subjectAltName)');
  if (!names.includes(name)) throw new Error(`the certificate is for ${names.join(', ')}, not for ${name}`);
  requireUsages(own);
  // Also the certificates behind the first one, which a connection needs too.
  const others = parsed('the chain of the certificate is unreadable', () => {
    createSecureContext({ ca, cert, key });
    return certificatesIn(cert)
      .slice(1)
      .map((one) => new X509Certificate(one));
  });
  if (!isSignedBy(authorities, own, others))
    throw new Error('no authority of RPC_TLS_CA_FILE has signed the certificate');
  return { ca, cert, key, texts, expiresAtMs: Date.parse(own.validTo) };
}

function requireInDate({ validFrom, validTo }: X509Certificate): void {
  if (Date.parse(validTo) <= Date.now()) throw new Error(`the certificate has expired (${validTo})`);
  if (Date.parse(validFrom) > Date.now()) throw new Error(`the certificate is not valid yet (${validFrom})`);
}

/** The extended key usages of TLS (RFC 5280, 4.2.1.12). */
const usages = { servers: '1.3.6.1.5.5.7.3.1', clients: '1.3.6.1.5.5.7.3.2' };

/** A certificate without usages is for all. */
function requireUsages({ keyUsage }: X509Certificate): void {
  for (const [whom, usage] of Object.entries(usages)) {
    // Without usages it is undefined, which the type does not say.
    if ((keyUsage as string[] | undefined)?.includes(usage) === false)
      throw new Error(`the certificate is not for ${whom} (extendedKeyUsage)`);
  }
}

/**
 * Returns whether valid certificates lead from `own`, by way of some of the `others`, to an authority that has signed
 * itself, as a TLS connection demands it.
 */
function isSignedBy(
  authorities: X509Certificate[],
  own: X509Certificate,
  others: X509Certificate[],
): boolean {
  const isAuthority = (one: X509Certificate): boolean =>
    authorities.some(({ fingerprint256 }) => fingerprint256 === one.fingerprint256);
  const issuers = [...authorities, ...others.filter(({ ca }) => ca)].filter(isInDate);
  const passed = new Set<string>();
  const leadsOn = (one: X509Certificate): boolean => {
    if (hasSigned(one, one)) return isAuthority(one);
    if (passed.has(one.fingerprint256)) return false;
    passed.add(one.fingerprint256);
    return issuers.some((issuer) => hasSigned(issuer, one) && leadsOn(issuer));
  };
  return leadsOn(own);
}

function hasSigned(issuer: X509Certificate, one: X509Certificate): boolean {
  return one.checkIssued(issuer) && one.verify(issuer.publicKey);
}

function isInDate({ validFrom, validTo }: X509Certificate): boolean {
  return Date.parse(validFrom) <= Date.now() && Date.now() < Date.parse(validTo);
}

/** Returns each certificate of a PEM text; the whole text if there is none. */
function certificatesIn(pem: string): string[] {
  const parts = pem.split(/(?=-----BEGIN )/).filter((part) => part.startsWith('-----BEGIN '));
  return parts.length === 0 ? [pem] : parts;
}

function parsed<T>(message: string, parse: () => T): T {
  try {
    return parse();
  } catch {
    throw new Error(message);
  }
}
