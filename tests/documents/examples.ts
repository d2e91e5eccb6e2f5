import { type DatabaseService, databaseServices, serviceNames } from '@parley/contracts/services';
import { withLines } from './generated-part.ts';

// Lists of services in files that are examples for other programs.

/** Returns the certificates for cert-manager. */
export function certManagerExample(text: string): string {
  const lines = [...serviceNames, 'cli'].flatMap((name) => [
    '---',
    ...(name === 'cli' ? ['# For the command line.'] : []),
    'apiVersion: cert-manager.io/v1',
    'kind: Certificate',
    `metadata: { name: parley-${name}-tls }`,
    'spec:',
    `  secretName: parley-${name}-tls`,
    '  # Exactly the name of the service.',
    `  dnsNames: [${name}]`,
    '  usages: [digital signature, server auth, client auth]',
    '  duration: 2160h',
    '  renewBefore: 720h',
    '  privateKey: { algorithm: ECDSA, size: 256, rotationPolicy: Always }',
    '  issuerRef: { name: parley-authority, kind: Issuer }',
  ]);
  return withLines(text, 'Certificates of services', lines);
}

/** Returns the cluster of CloudNativePG with the roles and schemas. */
export function clusterExample(text: string): string {
  const each = (line: (name: DatabaseService) => string): string[] => databaseServices.map(line);
  const schemas = [
    ...each((name) => `create role parley_${name} login`),
    ...each((name) => `grant connect on database parley to parley_${name}`),
    ...each((name) => `create schema ${name} authorization parley_${name}`),
    ...each((name) => `alter role parley_${name} in database parley set search_path = ${name}`),
  ].map((statement) => `        - ${statement}`);
  const roles = each(
    (name) =>
      `      - { name: parley_${name}, login: true, passwordSecret: { name: parley-${name}-database } }`,
  );
  return withLines(withLines(text, 'Schemas of services', schemas), 'Passwords of services', roles);
}

/** Returns the values for this cluster. */
export function clusterValuesExample(text: string): string {
  const lines = databaseServices.flatMap((name) => [
    `  ${name}:`,
    '    secrets:',
    `      DATABASE_URL: { name: parley-${name}-database, key: DATABASE_URL }`,
  ]);
  return withLines(text, 'Secrets of services', lines);
}

/** Returns the configuration of Prometheus with the services that it scrapes. */
export function prometheusExample(text: string): string {
  return withLines(text, 'Services that are scraped', [`      - names: [${serviceNames.join(', ')}]`]);
}
