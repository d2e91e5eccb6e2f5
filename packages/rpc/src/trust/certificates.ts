import type { experimental } from '@grpc/grpc-js';

interface Certificates {
  ca: string;
  cert: string;
  key: string;
}

type Provider = experimental.CertificateProvider;
type Listener<Update> = (update: Update) => void;

/**
 * Returns a provider of grpc-js that always has an authority and a fitting pair of certificate and key. Its own
 * provider of files can mix an old key with a new certificate, and provides nothing after a failed read.
 */
export function createCertificates(first: Certificates): {
  provider: Provider;
  replace(next: Certificates): void;
} {
  const authority = createSubject(authorityOf(first));
  const identity = createSubject(identityOf(first));
  return {
    provider: {
      addCaCertificateListener: authority.add,
      removeCaCertificateListener: authority.remove,
      addIdentityCertificateListener: identity.add,
      removeIdentityCertificateListener: identity.remove,
    },
    replace: (next) => {
      authority.replace(authorityOf(next));
      identity.replace(identityOf(next));
    },
  };
}

const authorityOf = ({ ca }: Certificates) => ({ caCertificate: Buffer.from(ca) });
const identityOf = ({ cert, key }: Certificates) => ({
  certificate: Buffer.from(cert),
  privateKey: Buffer.from(key),
});

function createSubject<Update>(first: Update) {
  const listeners = new Set<Listener<Update>>();
  let latest = first;
  return {
    add: (listener: Listener<Update>): void => {
      listeners.add(listener);
      // A server misses an update that comes while it adds its listeners.
      process.nextTick(() => listener(latest));
    },
    remove: (listener: Listener<Update>): void => void listeners.delete(listener),
    replace: (next: Update): void => {
      latest = next;
      for (const listener of listeners) listener(next);
    },
  };
}
