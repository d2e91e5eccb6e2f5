import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { PeerCertificate } from 'node:tls';
import { type ChannelCredentials, experimental, type ServerCredentials } from '@grpc/grpc-js';
import { ConfigError, type RpcTlsFiles } from '@parley/runtime/config/config';
import { followFiles, settingOf } from '@parley/runtime/config/followed-files';
import type { Logger } from '@parley/runtime/telemetry/logger';
import { checkTexts, type UsableTexts } from './certificate-checks.ts';
import { createCertificates } from './certificates.ts';
import { certificateExpiration } from '../metrics.ts';
import { dnsNamesOf } from '../client/peer-names.ts';

export interface PeerTls {
  credentials: ChannelCredentials;
  /** The service that the peer's certificate must name. */
  service: string;
  /** Calls the listener after the certificate of this process has changed, until the result is disposed of. */
  onReplaced?(listener: () => void): Disposable;
}

/** TLS of both sides between services, with the newest certificate of this process. */
export interface RpcTls extends AsyncDisposable {
  /** Returns how to call a service. A server whose certificate does not name the service is rejected. */
  to(service: string): PeerTls;
  /** Refuses clients without a certificate of the authority. */
  server: ServerCredentials;
}

/**
 * Reads authority, certificate and key of the service `name`, and again when they change: new connections use them, and
 * connections to peers are replaced soon. Files that peers with the same authority would refuse are not used. Returns
 * undefined without files. Throws `ConfigError` if the first ones cannot be used.
 */
export function openTls(files: RpcTlsFiles | undefined, name: string, logger: Logger): RpcTls | undefined {
  if (!files) return undefined;
  const paths = [files.ca, files.cert, files.key];
  const contents = readFirst(paths, name);
  const { provider, replace } = createCertificates(contents);
  const listeners = new Set<() => void>();
  let { expiresAtMs } = contents;
  const observing = certificateExpiration.observe((report) => report(expiresAtMs / 1_000));
  const following = followFiles({
    setting: 'RPC_TLS_*_FILE',
    paths,
    contents: contents.texts,
    use: (texts) => {
      const usable = checkTexts(texts, name);
      replace(usable);
      ({ expiresAtMs } = usable);
      for (const listener of listeners) listener();
    },
    logger,
  });
  return {
    to: (service) => ({
      service,
      credentials: experimental.createCertificateProviderChannelCredentials(provider, provider, {
        checkServerIdentity: (_host, certificate) => wrongService(service, certificate),
      }),
      onReplaced: (listener) => {
        listeners.add(listener);
        return { [Symbol.dispose]: () => void listeners.delete(listener) };
      },
    }),
    // In this version of grpc-js, the two providers reach the server in the other order. They must be the same.
    server: experimental.createCertificateProviderServerCredentials(provider, provider, true),
    [Symbol.asyncDispose]: async () => {
      observing[Symbol.dispose]();
      await following[Symbol.asyncDispose]();
    },
  };
}

function readFirst(paths: string[], name: string): UsableTexts {
  try {
    const texts = paths.map((path) => settingOf(readFileSync(path, 'utf8')));
    return checkTexts(texts, name);
  } catch (cause) {
    throw new ConfigError(
      `RPC_TLS_CA_FILE, RPC_TLS_CERT_FILE, RPC_TLS_KEY_FILE: ${(cause as Error).message}`,
      {
        cause,
      },
    );
  }
}

function wrongService(service: string, { raw }: PeerCertificate): Error | undefined {
  const names = dnsNamesOf(new X509Certificate(raw));
  if (names.includes(service)) return undefined;
  return new Error(`the server's certificate is for ${names.join(', ') || 'no name'}, not for ${service}`);
}
