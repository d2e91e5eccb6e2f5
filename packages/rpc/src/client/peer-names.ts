import { X509Certificate } from 'node:crypto';
import type { ServerDuplexStream, ServerUnaryCall } from '@grpc/grpc-js';

type ServerCall = ServerUnaryCall<unknown, unknown> | ServerDuplexStream<unknown, unknown>;

/**
 * Returns the DNS names in the certificate of the caller (subjectAltName): names of services, such as `gateway`, or
 * `cli`. The authority has been checked. Undefined without TLS.
 */
export function peerNamesOf(call: Pick<ServerCall, 'getAuthContext'>): string[] | undefined {
  const { sslPeerCertificate } = call.getAuthContext();
  return sslPeerCertificate && dnsNamesOf(new X509Certificate(sslPeerCertificate.raw));
}

/** Returns the DNS names of a certificate. Its common name does not count. */
export function dnsNamesOf({ subjectAltName = '' }: X509Certificate): string[] {
  // Node puts a name that contains a comma or a quote in quotes, so that it cannot pass for several.
  const entries = subjectAltName.match(/(?:[^,"]|"(?:[^"\\]|\\.)*")+/g) ?? [];
  return entries
    .map((entry) => entry.trim())
    .filter((entry) => entry.startsWith('DNS:') && !entry.includes('"'))
    .map((entry) => entry.slice('DNS:'.length));
}
