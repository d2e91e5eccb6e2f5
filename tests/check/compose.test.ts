import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { serviceNames } from '@parley/local/services';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

const root = resolve(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

interface Service {
  image: string;
  build?: { args: Record<string, string> };
  restart?: string;
  mem_limit?: string;
  logging?: { driver: string; options: Record<string, string> };
  healthcheck?: { test: string[] };
  depends_on?: Record<string, { condition: string }>;
  environment?: Record<string, string>;
}

const compose = parse(read('deploy/compose.yaml'), { merge: true }) as { services: Record<string, Service> };
const containers = Object.entries(compose.services);
const ours = serviceNames.map((name) => ({ name, ...compose.services[name] }));
const { version } = JSON.parse(read('package.json')) as { version: string };

test('every container restarts, has a memory limit and rotates its log', () => {
  expect(containers.length).toBeGreaterThan(serviceNames.length);
  for (const [name, container] of containers) {
    expect([name, container]).toMatchObject([
      name,
      {
        restart: 'unless-stopped',
        mem_limit: expect.stringMatching(/^\d+[mg]$/),
        logging: { driver: 'json-file', options: { 'max-size': '10m', 'max-file': '5' } },
      },
    ]);
  }
});

test('every container has a health check, except an image without a program for it', () => {
  const unchecked = containers.filter(([, { healthcheck }]) => !healthcheck).map(([name]) => name);
  expect(unchecked).toEqual(['collector']);
});

test('containers wait for healthy stores', () => {
  for (const { name, depends_on: dependencies = {} } of ours) {
    const { postgres, nats } = dependencies;
    expect([name, nats]).toEqual([name, { condition: 'service_healthy' }]);
    if (name !== 'gateway') expect([name, postgres]).toEqual([name, { condition: 'service_healthy' }]);
  }
});

test('an image has the name of its service, and the version of Parley unless VERSION is set', () => {
  for (const { name, image, build } of ours) {
    expect(image).toBe(`\${REGISTRY:-localhost}/parley-${name}:\${VERSION:-${version}}`);
    expect(build?.args).toMatchObject({ SERVICE: name, VERSION: `\${VERSION:-${version}}` });
  }
  expect(read('deploy/Dockerfile')).toContain(`\nARG VERSION=${version}\n`);
});

test('docs/operations.md lists every variable that compose gives to a service', () => {
  const documented = new Set(
    Array.from(read('docs/operations.md').matchAll(/`([A-Z][A-Z_]+)`/g), ([, name]) => name),
  );
  const given = ours.flatMap(({ environment = {} }) => Object.keys(environment));
  expect(given.length).toBeGreaterThan(50);
  expect(given.filter((name) => !documented.has(name) && !name.startsWith('OTEL_'))).toEqual([]);
});

test('the containers use the versions of PostgreSQL and NATS that tests use', async () => {
  const { images } = await import('../../packages/testing/src/images.ts');
  expect(compose.services).toMatchObject({
    postgres: { image: images.postgres },
    nats: { image: images.nats },
  });
});
