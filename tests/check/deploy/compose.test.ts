import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  operatorPorts,
  optionalServices,
  secretSettings,
  serviceNames,
  services,
} from '@parley/contracts/services';
import { validate } from 'dockerfile-utils';
import { expect, test } from 'vitest';
import { type Compose, composeFile, composeWith, networksOf } from './compose-file.ts';

const root = resolve(import.meta.dirname, '../../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

const text = read('deploy/compose.yaml');
const compose = composeFile;
const withVariables = composeWith;

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
        logging: { driver: 'json-file', options: { 'max-size': expect.any(String) } },
      },
    ]);
  }
});

test('the log of a gateway at 50 calls a second is kept for longer than the hour that runbooks read', () => {
  const { 'max-size': size = '', 'max-file': files } = compose.services['gateway']?.logging?.options ?? {};
  const bytesPerCall = 640;
  expect(size).toMatch(/^\d+m$/);
  expect(Number.parseInt(size, 10) * 1e6 * Number(files)).toBeGreaterThan(2 * 3_600 * 50 * bytesPerCall);
});

test('every container has a health check, except an image without a program for it', () => {
  const unchecked = containers.filter(([, { healthcheck }]) => !healthcheck).map(([name]) => name);
  expect(unchecked).toEqual(['nats-box', 'collector']);
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

test('the Dockerfile has no fault', () => {
  const faults = validate(read('deploy/Dockerfile')).map(({ range, message }) => [
    range.start.line + 1,
    message,
  ]);
  expect(faults).toEqual([]);
});

test('docs/operations/settings.md lists every variable that compose gives to a service', () => {
  const documented = new Set(
    Array.from(read('docs/operations/settings.md').matchAll(/`([A-Z][A-Z_]+)`/g), ([, name]) => name),
  );
  const given = ours.flatMap(({ environment = {} }) =>
    Object.keys(environment).map((name) => {
      const setting = name.replace(/_FILE$/, '');
      return secretSettings.includes(setting) ? setting : name;
    }),
  );
  expect(given.length).toBeGreaterThan(50);
  expect(given.filter((name) => !documented.has(name) && !name.startsWith('OTEL_'))).toEqual([]);
});

test('the containers use the versions of PostgreSQL and NATS that tests use', async () => {
  const { images } = await import('../../../packages/testing/src/servers/images.ts');
  expect(compose.services).toMatchObject({
    postgres: { image: images.postgres },
    nats: { image: images.nats },
  });
});

const networksIn = ({ services }: Compose, name: string): string[] => {
  const service = services[name];
  return service ? networksOf(service) : [];
};
const reachesOutside = (given: Compose, name: string): boolean =>
  networksIn(given, name).some((network) => given.networks[network]?.internal !== true);

test('containers drop all capabilities, and only the image of PostgreSQL gets some back', () => {
  for (const [name, { cap_drop, security_opt }] of containers) {
    expect([name, cap_drop, security_opt]).toEqual([name, ['ALL'], ['no-new-privileges:true']]);
  }
  expect(containers.filter(([, { cap_add }]) => cap_add).map(([name]) => name)).toEqual([
    'postgres',
    'postgres-standby',
  ]);
});

test('services publish no port, so that each can have more replicas', () => {
  for (const { name, ports } of ours) expect([name, ports]).toEqual([name, undefined]);
  const targets = compose.services['balancer']?.ports?.map((port) => port.split(':').at(-1));
  expect(targets).toEqual(['3000', ...operatorPorts.map(([, port]) => String(port))]);
});

test('every network of a container is declared', () => {
  for (const { services, networks } of [
    withVariables({}),
    withVariables({ GATEWAY_NATS_URL: 'nats://bus.test' }),
  ]) {
    const used = Object.values(services).flatMap(networksOf);
    expect(used.filter((name) => !Object.hasOwn(networks, name))).toEqual([]);
  }
});

test('calls, database and broker have internal networks, and only what needs it reaches outside', () => {
  const plain = withVariables({});
  expect(plain.networks).toMatchObject({
    calls: { internal: true },
    data: { internal: true },
    bus: { internal: true },
  });
  const inside = Object.keys(plain.services).filter((name) => !reachesOutside(plain, name));
  const stores = ['postgres', 'postgres-standby', 'nats', 'nats-2', 'nats-3', 'nats-box'];
  const closed = serviceNames.filter((name) => services[name].outside !== 'always');
  expect(closed).not.toContain('webhook');
  expect(inside).toEqual([...stores, ...closed]);
  // Else the gateway would not trust what the balancer says of clients.
  const [ofBalancer, ofGateway] = ['balancer', 'gateway'].map((name) => networksIn(plain, name));
  const shared = ofBalancer?.filter((name) => ofGateway?.includes(name));
  expect(shared).toEqual(['edge']);
});

test('a service uses an external database, broker or collector when its URL is set, and reaches it', () => {
  const names = serviceNames.map((name) => [`${name.toUpperCase()}_NATS_URL`, 'tls://bus.test:4222']);
  const broker = withVariables(Object.fromEntries(names) as Record<string, string>);
  for (const name of serviceNames) {
    expect(broker.services[name]?.environment?.['NATS_URL']).toBe('tls://bus.test:4222');
    expect([name, reachesOutside(broker, name)]).toEqual([name, true]);
  }
  const database = withVariables({ CUSTOMER_DATABASE_URL: 'postgres://db.test/c', IDENTITY_PASSWORD: 'p' });
  expect(database.services['customer']?.environment?.['DATABASE_URL']).toBe('postgres://db.test/c');
  expect(reachesOutside(database, 'customer')).toBe(true);
  expect(database.services['identity']?.environment?.['DATABASE_URL']).toBe(
    'postgres://parley_identity:p@postgres:5432/parley',
  );
  expect(reachesOutside(database, 'identity')).toBe(false);
  const collector = withVariables({ PARLEY_OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' });
  for (const name of serviceNames) {
    expect(collector.services[name]?.environment?.['OTEL_EXPORTER_OTLP_ENDPOINT']).toBe(
      'http://collector:4318',
    );
    expect(networksIn(collector, name)).toContain(networksIn(collector, 'collector')[0]);
  }
});

test('each service has a user of NATS of its own, whose password only the broker has too', () => {
  const passwords = serviceNames.map((name) => `NATS_${name.toUpperCase()}_PASSWORD`);
  const given = withVariables(Object.fromEntries(passwords.map((name) => [name, `of-${name}`])));
  for (const name of serviceNames) {
    const { environment = {} } = given.services[name] ?? {};
    const password = `of-NATS_${name.toUpperCase()}_PASSWORD`;
    expect(environment['NATS_URL']).toBe(`nats://${name}:${password}@nats:4222`);
    expect(JSON.stringify(environment).match(/of-NATS_\w+/g)).toEqual([password]);
  }
  expect(Object.keys(given.services['nats']?.environment ?? {})).toEqual(expect.arrayContaining(passwords));
});

test('an empty address leaves an optional service out, which nothing waits for', () => {
  for (const name of optionalServices) {
    const variable = `${name.toUpperCase()}_ADDRESS`;
    expect(compose.services['gateway']?.environment?.[variable]).toBe(`\${${variable}-dns:///${name}:50051}`);
    for (const { depends_on: dependencies = {} } of ours)
      expect(Object.keys(dependencies)).not.toContain(name);
  }
});

test("no variable is one that Docker's client reads itself", () => {
  const variables = Array.from(text.matchAll(/\$\{(\w+)/g), ([, name = '']) => name);
  expect(variables.filter((name) => /^(OTEL|DOCKER|COMPOSE|BUILDKIT)_/.test(name))).toEqual([]);
});

test('with the profile replicated there are three servers of NATS and a standby, and no service is on their routes', () => {
  const names = Object.keys(compose.services).filter((name) => {
    const { profiles } = compose.services[name] ?? {};
    return profiles?.includes('replicated');
  });
  expect(names).toEqual(['postgres-standby', 'nats-2', 'nats-3']);
  const onRoutes = Object.keys(compose.services).filter((name) =>
    networksIn(compose, name).includes('routes'),
  );
  expect(onRoutes).toEqual(['nats', 'nats-2', 'nats-3']);
  const { services } = composeWith({ NATS_CONFIG: 'nats-cluster.conf' });
  const routes = onRoutes.map((name) => services[name]?.environment?.['NATS_ROUTE'] ?? '');
  const cluster = read('deploy/nats-cluster.conf');
  for (const route of routes) expect(cluster).toContain(`"nats://${route}"`);
  for (const name of onRoutes) expect(services[name]?.command).toEqual(['-c', '/etc/nats/nats-cluster.conf']);
});

test('a service on the standby has its URL from POSTGRES_HOST', () => {
  const { services } = composeWith({ POSTGRES_HOST: 'postgres-standby', IDENTITY_PASSWORD: 'p' });
  expect(services['identity']?.environment?.['DATABASE_URL']).toBe(
    'postgres://parley_identity:p@postgres-standby:5432/parley',
  );
});
