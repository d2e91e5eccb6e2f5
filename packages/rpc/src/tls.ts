import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext, type PeerCertificate } from 'node:tls';
import { type ChannelCredentials, experimental, type ServerCredentials } from '@grpc/grpc-js';
import { ConfigError, type RpcTlsFiles } from '@parley/runtime/config';
import { followFiles, settingOf } from '@parley/runtime/followed-files';
import type { Logger } from '@parley/runtime/logger';
import { createCertificates } from './certificates.ts';
import { certificateExpiration } from './metrics.ts';
import { dnsNamesOf } from './peer-names.ts';

/** How to reach a peer with TLS. */
export interface PeerTls {
  credentials: ChannelCredentials;
  /** The service that the peer's certificate must name. */
  service: string;
}

/** TLS of both sides between services, with the newest certificate of this process. */
export interface RpcTls extends AsyncDisposable {
  /** Returns how to call a service. A server whose certificate does not name the service is rejected. */
  to(service: string): PeerTls;
  /** Refuses clients without a certificate of the authority. */
  server: ServerCredentials;
}

/**
 * Reads authority, certificate and key, and again when they change: new connections use them. Files that do not fit
 * together are not used. Returns undefined without files. Throws `ConfigError` if the first ones cannot be used.
 */
export function openTls(files: RpcTlsFiles | undefined, logger: Logger): RpcTls | undefined {
  if (!files) return undefined;
  const paths = [files.ca, files.cert, files.key];
  const contents = readFirst(paths);
  const { provider, replace } = createCertificates(contents);
  let { expiresAtMs } = contents;
  const observing = certificateExpiration.observe((report) => report(expiresAtMs / 1_000));
  const following = followFiles({
    setting: 'RPC_TLS_*_FILE',
    paths,
    contents: contents.texts,
    use: (texts) => {
      const usable = checkTexts(texts);
      replace(usable);
      ({ expiresAtMs } = usable);
    },
    logger,
  });
  return {
    to: (service) => ({
      service,
      credentials: experimental.createCertificateProviderChannelCredentials(provider, provider, {
        checkServerIdentity: (_host, certificate) => wrongService(service, certificate),
      }),
    }),
    // In this version of grpc-js, the two providers reach the server in the other order. They must be the same.
    server: experimental.createCertificateProviderServerCredentials(provider, provider, true),
    [Symbol.asyncDispose]: async () => {
      observing[Symbol.dispose]();
      await following[Symbol.asyncDispose]();
    },
  };
}

/** PEM texts that fit together. */
interface UsableTexts {
  ca: string;
  cert: string;
  key: string;
  texts: string[];
  /** When the certificate expires, as a Unix time. */
  expiresAtMs: number;
}

function readFirst(paths: string[]): UsableTexts {
  try {
    return checkTexts(paths.map((path) => settingOf(readFileSync(path, 'utf8'))));
  } catch (cause) {
    throw new ConfigError(
      `RPC_TLS_CA_FILE, RPC_TLS_CERT_FILE, RPC_TLS_KEY_FILE: ${(cause as Error).message}`,
      {
        cause,
      },
    );
  }
}

/** Throws if the texts cannot be parsed, do not fit together or are out of date. The error has no part of the key. */
function checkTexts(texts: string[]): UsableTexts {
  const [ca = '', cert = '', key = ''] = texts;
  for (const one of certificatesIn(ca))
    parsed('an authority is no certificate', () => new X509Certificate(one));
  const own = parsed('the certificate is unreadable', () => new X509Certificate(cert));
  const privateKey = parsed('the key is unreadable', () => createPrivateKey(key));
  if (!own.checkPrivateKey(privateKey)) throw new Error('the key is not that of the certificate');
  const expiresAtMs = Date.parse(own.validTo);
  if (expiresAtMs <= Date.now()) throw new Error(`the certificate has expired (${own.validTo})`);
  if (Date.parse(own.validFrom) > Date.now())
    throw new Error(`the certificate is not valid yet (${own.validFrom})`);
  if (dnsNamesOf(own).length === 0) throw new Error('the certificate has no DNS name (subjectAltName)');
  // Also the certificates behind the first one, which a connection needs too.
  parsed('the chain of the certificate is unreadable', () => createSecureContext({ ca, cert, key }));
  return { ca, cert, key, texts, expiresAtMs };
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

function wrongService(service: string, { raw }: PeerCertificate): Error | undefined {
  const names = dnsNamesOf(new X509Certificate(raw));
  if (names.includes(service)) return undefined;
  return new Error(`the server's certificate is for ${names.join(', ') || 'no name'}, not for ${service}`);
}
