import { readFileSync } from 'node:fs';
import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import {
  databaseServices,
  optionalServices,
  secretSettings,
  type ServiceName,
  serviceNames,
  services,
} from '@parley/contracts/services';
import { Ajv } from 'ajv';
import type { IDeployment } from 'kubernetes-models/apps/v1/Deployment';
import type { IJob } from 'kubernetes-models/batch/v1/Job';
import type { INetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { readers } from './config-readers.ts';
import { chart, helm, render } from './helm.ts';

const root = resolve(import.meta.dirname, '../../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
/** With all services. */
const all = Object.fromEntries(optionalServices.map((name) => [name, { enabled: true }]));

const objects = await render(['minimal.yaml'], { ...all, otlpEndpoint: 'http://collector:4318' });
const deployments = objects.filter(({ kind }) => kind === 'Deployment') as IDeployment[];
const jobs = objects.filter(({ kind }) => kind === 'Job') as IJob[];
const pods = [...deployments, ...jobs].map(({ spec }) => spec?.template.spec);
const containers = pods.flatMap((pod) => pod?.containers ?? []);
const policies = objects.filter(({ kind }) => kind === 'NetworkPolicy') as INetworkPolicy[];

const containersOf = (service: string) =>
  deployments
    .filter(({ metadata }) => metadata?.name === `parley-${service}`)
    .flatMap(({ spec }) => spec?.template.spec?.containers ?? []);

/** The credentials that the chart takes from Secrets, with values that the services accept. */
const keys = `k:${Buffer.alloc(32).toString('base64')}`;
const credentials: Record<string, string> = {
  RPC_TOKEN: 'token-between-services',
  RPC_CALLERS: `gateway:${'0'.repeat(64)}`,
  NATS_URL: 'nats://nats:4222',
  DATABASE_URL: 'postgres://parley@database:5432/parley',
  SESSION_KEYS: keys,
  LINK_KEYS: keys,
  CREDENTIAL_PEPPERS: keys,
  ENCRYPTION_KEYS: keys,
};

test('the chart and its default images have the version of Parley', () => {
  const { version } = JSON.parse(read('package.json')) as { version: string };
  expect(parse(read('deploy/chart/Chart.yaml'))).toMatchObject({ version, appVersion: version });
});

test.each(serviceNames)('the %s service accepts its environment', (service) => {
  const [container] = containersOf(service);
  const env = (container?.env ?? []).map(({ name, value }) => [name, value ?? credentials[name]]);
  expect(env.length).toBeGreaterThan(3);
  expect(() => readers[service](Object.fromEntries(env))).not.toThrow();
});

test('with secrets as files and TLS, no secret is a variable, and each service accepts its environment', async () => {
  const rendered = await render(['minimal.yaml'], { ...all, secretFiles: true, rpcTls: { enabled: true } });
  const specs = rendered.filter(({ kind }) => kind === 'Deployment') as IDeployment[];
  await using folder = await mkdtempDisposable(join(tmpdir(), 'chart-'));
  for (const service of serviceNames) {
    const pod = specs.find(({ metadata }) => metadata?.name === `parley-${service}`)?.spec?.template.spec;
    const [container] = pod?.containers ?? [];
    const env = container?.env ?? [];
    expect(env.filter(({ valueFrom }) => valueFrom)).toEqual([]);
    const sources = pod?.volumes?.find(({ name }) => name === 'secrets')?.projected?.sources ?? [];
    const files = sources.flatMap(({ secret }) => secret?.items?.map(({ path }) => path) ?? []);
    expect(env.flatMap(({ name, value }) => (value?.includes('/secrets/') ? name : []))).toEqual(
      files.map((name) => `${name}_FILE`),
    );
    for (const name of files) await writeFile(join(folder.path, name), credentials[name] ?? '');
    const read = env.map(({ name, value }) => [name, value?.replace('/etc/parley/secrets', folder.path)]);
    expect(readers[service](Object.fromEntries(read))).toMatchObject({
      rpcTls: { key: '/etc/parley/rpc-tls/tls.key' },
    });
    expect(pod?.volumes).toContainEqual({ name: 'rpc-tls', secret: { secretName: `parley-${service}-tls` } });
    const isProbedByCommand = container?.readinessProbe?.exec !== undefined;
    expect(isProbedByCommand).toBe(service !== 'gateway');
  }
});

test('docs/operations/settings.md has all variables, and credentials come from Secrets', () => {
  const docs = read('docs/operations/settings.md');
  const variables = containers.flatMap(({ env = [] }) => env);
  const undocumented = variables
    .map(({ name }) => name)
    .filter((name) => !name.startsWith('OTEL_') && !docs.includes(`\`${name}`));
  expect([...new Set(undocumented)].toSorted()).toEqual([]);
  const referenced = variables.filter(({ value }) => value === undefined).map(({ name }) => name);
  expect([...new Set(referenced)].toSorted()).toEqual(Object.keys(credentials).toSorted());
  const open = variables.filter(({ value }) => value !== undefined).map(({ name }) => name);
  expect(open.filter((name) => name in credentials)).toEqual([]);
  expect(objects.filter(({ kind }) => kind === 'Secret')).toEqual([]);
});

test('unsuitable values and credentials are refused, all at once', async () => {
  const secrets = ['RPC_TOKEN', 'DATABASE_URL', 'LINK_KEYS', 'OTEL_EXPORTER_OTLP_HEADERS'];
  const values = {
    landngUrl: '',
    defaults: { replica: 1, env: Object.fromEntries(secrets.map((name) => [name, 'secret-value'])) },
    services: { webhook: { replicas: '2' }, webhok: {} },
    release: ['webhok'],
    networkPolicy: { nats: { port: 4222 } },
  };
  const message = await render(['minimal.yaml'], values).catch(String);
  for (const fault of [
    ...secrets.map((name) => `invalid propertyName '${name}'`),
    "at '': additional properties 'landngUrl' not allowed",
    "at '/defaults': additional properties 'replica' not allowed",
    "at '/services/webhook/replicas': got string, want integer",
    "at '/services': additional properties 'webhok' not allowed",
    "at '/release/0': value must be one of",
    "at '/networkPolicy/nats': additional properties 'port' not allowed",
  ])
    expect(message).toContain(fault);
});

const schema = JSON.parse(read('deploy/chart/values.schema.json'));
const defaultValues = parse(read('deploy/chart/values.yaml'));
const validate = new Ajv({ strict: false }).compile(schema);
const variablesIn = (file: string): string[] =>
  Array.from(read(file).matchAll(/^ +([A-Z][A-Z_]+): /gm), ([, name = '']) => name);
const variablesOf = (service: ServiceName): Set<string> =>
  new Set([
    ...variablesIn('packages/runtime/src/config/config.ts'),
    ...variablesIn(`services/${service}/src/config.ts`),
  ]);

function takes(service: ServiceName, name: string, value: string): boolean {
  const services = { ...defaultValues.services, [service]: { env: { [name]: value } } };
  return validate({ ...defaultValues, services });
}

test('the chart takes all variables that a service reads but credentials, its own and those of local runs', () => {
  const ofTheChart = ['LISTEN', 'METRICS_LISTEN', 'LANDING_URL', 'NODE_EXTRA_CA_CERTS'];
  const ofLocalRuns = ['ALLOW_PRIVATE_WEBHOOKS'];
  const others = [...Object.keys(credentials), ...ofTheChart, ...ofLocalRuns];
  const isOther = (name: string): boolean =>
    others.includes(name) ||
    (name !== 'WEBHOOK_EGRESS_PROXY' && secretSettings.includes(name)) ||
    /^RPC_TLS_|_ADDRESS$/.test(name);
  const read = new Set(serviceNames.flatMap((service) => [...variablesOf(service)]));
  const expected = [...read].filter((name) => !isOther(name));
  expect(Object.keys(schema.definitions.env.properties)).toEqual(expected.toSorted());
  for (const service of serviceNames) {
    const own = variablesIn(`services/${service}/src/config.ts`).filter((name) => expected.includes(name));
    for (const name of own) expect([service, name, takes(service, name, '')]).toEqual([service, name, true]);
  }
});

test('the chart refuses a value that a service would refuse at its start', () => {
  const values = ['abc', '-1', '0', '1.5', '5x', 'true', 'yes', 'http:/x', '99999999999', '1,2,,', 'a b'];
  const found: string[] = [];
  for (const service of serviceNames) {
    const [container] = containersOf(service);
    const env = (container?.env ?? []).map(({ name, value }) => [name, value ?? credentials[name]]);
    for (const name of variablesOf(service)) {
      for (const value of values) {
        if (!takes(service, name, value)) continue;
        const given = {
          LLM_BASE_URL: 'https://m.test',
          LLM_MODEL: 'm',
          ...Object.fromEntries(env),
          [name]: value,
        };
        const fault = faultOf(() => readers[service](given));
        if (new RegExp(`^ +${name}: (?!is missing)`, 'm').test(fault))
          found.push(`${service} ${name}=${value}`);
      }
    }
  }
  expect(found).toEqual([]);
});

test.each([
  ['OIDC_GROUP_ROLES', 'admins@example.com=admin'],
  ['OIDC_GROUP_ROLES', 'cn=admins=admin, cn=help desk=viewer@01939F6A-2f40-7c3a-9d55-0123456789ab,'],
  ['OIDC_GROUP_ROLES', ' ops = =operator ,, a=owner,b=editor'],
  ['OIDC_GROUP_ROLES', 'a=b'],
  ['OIDC_GROUP_ROLES', 'a=admin@shop'],
  ['OIDC_GROUP_ROLES', 'a=operator@01939f6a-2f40-7c3a-9d55-0123456789ab'],
  ['OIDC_GROUP_ROLES', '=admin'],
  ['WEBHOOK_RETRY_SCHEDULE_SECONDS', '0.05, 1,60'],
  ['WEBHOOK_RETRY_SCHEDULE_SECONDS', ' .5 ,5. '],
  ['WEBHOOK_RETRY_SCHEDULE_SECONDS', '1.2.3'],
  ['WEBHOOK_RETRY_SCHEDULE_SECONDS', '1 2'],
  ['WEBHOOK_RETRY_SCHEDULE_SECONDS', ' '],
  ['WEBHOOK_RETRY_SCHEDULE_SECONDS', '1,'],
] as const)('the chart and the service agree on %s=%s', (name, value) => {
  const service = name === 'OIDC_GROUP_ROLES' ? 'identity' : 'webhook';
  const env = containersOf(service).flatMap((one) => one.env ?? []);
  const given = Object.fromEntries(env.map((one) => [one.name, one.value ?? credentials[one.name]]));
  const fault = faultOf(() => readers[service]({ ...given, [name]: value }));
  expect(takes(service, name, value)).toBe(!fault.includes(` ${name}: `));
});

function faultOf(read: () => unknown): string {
  try {
    read();
    return '';
  } catch (error) {
    return String(error);
  }
}

test('an empty value that must be set is refused', async () => {
  await expect(render(['minimal.yaml'], { landingUrl: '' })).rejects.toThrow('landingUrl is required');
});

/** Returns the services at the other end of calls that the policy of a service allows. */
function callsIn(service: string, direction: 'ingress' | 'egress'): string[] {
  const policy = policies.find(({ metadata }) => metadata?.name === `parley-${service}`);
  const rules =
    direction === 'ingress'
      ? policy?.spec?.ingress?.map(({ ports, from }) => ({ ports, peers: from }))
      : policy?.spec?.egress?.map(({ ports, to }) => ({ ports, peers: to }));
  return (rules ?? [])
    .filter(({ ports }) => ports?.some(({ port }) => port === 50_051))
    .flatMap(({ peers = [] }) =>
      peers.map((peer) => peer.podSelector?.matchLabels?.['app.kubernetes.io/name']),
    )
    .map((name = 'anyone') => name.replace('parley-', ''))
    .toSorted();
}

test('the network policies allow the calls between services that the code makes, and no others', () => {
  const callees = serviceNames.map((service) => {
    const addresses = read(`services/${service}/src/config.ts`).matchAll(/^ +([A-Z]+)_ADDRESS: /gm);
    const called = Array.from(addresses, ([, name = '']) => name.toLowerCase());
    // The gateway reads those that it is declared to call.
    return [service, (service === 'gateway' ? [...services.gateway.calls] : called).toSorted()] as const;
  });
  const callers = serviceNames.map((service) => {
    const found = callees.filter(([, called]) => called.includes(service)).map(([caller]) => caller);
    return [service, found.toSorted()];
  });
  expect(serviceNames.map((service) => [service, callsIn(service, 'egress')])).toEqual(callees);
  expect(serviceNames.map((service) => [service, callsIn(service, 'ingress')])).toEqual(callers);
});

test('the network policies allow DNS, and PostgreSQL, NATS, OTLP and webhooks to the services that use them', () => {
  const targets = serviceNames.map((service) => {
    const policy = policies.find(({ metadata }) => metadata?.name === `parley-${service}`);
    const ports = policy?.spec?.egress?.flatMap((rule) => rule.ports ?? []).map(({ port }) => port ?? 'any');
    return [service, ports?.filter((port) => port !== 50_051)];
  });
  const others = databaseServices.map((name) => [name, [53, 53, 5432, 4222, 4317, 4318]]);
  expect(Object.fromEntries(targets)).toEqual({
    ...Object.fromEntries(others),
    gateway: [53, 53, 4222, 4317, 4318],
    webhook: [53, 53, 5432, 4222, 4317, 4318, 'any'],
  });
});

test('each service has two replicas, and a rollout stops none before its successor is ready', () => {
  const named = (kind: string) =>
    objects.filter((object) => object.kind === kind).map(({ metadata }) => metadata.name);
  const names = serviceNames.map((service) => `parley-${service}`).toSorted();
  for (const kind of [
    'Deployment',
    'HorizontalPodAutoscaler',
    'PodDisruptionBudget',
    'Service',
    'ServiceAccount',
  ])
    expect([kind, named(kind).toSorted()]).toEqual([kind, names]);
  const scalers = objects.filter(({ kind }) => kind === 'HorizontalPodAutoscaler');
  for (const { spec } of scalers) expect(spec).toMatchObject({ minReplicas: 2 });
  for (const { spec } of deployments) expect(spec?.strategy?.rollingUpdate?.maxUnavailable).toBe(0);
});

test('without autoscaling, the number of replicas is fixed', async () => {
  const fixed = await render(['minimal.yaml'], { defaults: { autoscaling: { enabled: false } } });
  expect(fixed.filter(({ kind }) => kind === 'HorizontalPodAutoscaler')).toEqual([]);
  for (const { spec } of fixed.filter(({ kind }) => kind === 'Deployment'))
    expect(spec).toMatchObject({ replicas: 2 });
});

test('no container can become root, write to its image or read the API of Kubernetes', () => {
  expect(pods).toHaveLength(serviceNames.length + databaseServices.length);
  for (const pod of pods) {
    expect(pod).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, runAsUser: 65532, seccompProfile: { type: 'RuntimeDefault' } },
    });
  }
  for (const { securityContext } of containers) {
    expect(securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
  }
});

test('before the services change, jobs with their images migrate the schemas', () => {
  expect(jobs.map(({ metadata }) => metadata?.name ?? '').toSorted()).toEqual(
    databaseServices.map((service) => `parley-${service}-migration`).toSorted(),
  );
  for (const { metadata, spec } of jobs) {
    const service = metadata?.name?.split('-')[1] ?? '';
    const [own] = containersOf(service);
    expect(metadata?.annotations?.['helm.sh/hook']).toBe('pre-install,pre-upgrade');
    const [container] = spec?.template.spec?.containers ?? [];
    expect(container?.command).toEqual(['node', `services/${service}/src/migrate.ts`]);
    expect(container?.image).toBe(own?.image);
    const secrets = container?.env?.filter(({ valueFrom }) => valueFrom).map(({ name }) => name);
    expect(secrets).toEqual(['DATABASE_URL']);
  }
});

test('without an optional service, no object and no variable names it', async () => {
  const rendered = await render(['minimal.yaml'], { metrics: { serviceMonitor: { enabled: true } } });
  for (const service of optionalServices) {
    const named = rendered.filter((object) => JSON.stringify(object).includes(`parley-${service}`));
    expect(named).toEqual([]);
    expect(JSON.stringify(rendered)).not.toContain(`${service.toUpperCase()}_ADDRESS`);
  }
});

test('a release of one service names no other', async () => {
  const alone = await render(['webhook-alone.yaml'], { metrics: { serviceMonitor: { enabled: true } } });
  const names = alone.map(({ kind, metadata }) => `${kind} ${metadata.name}`).toSorted();
  expect(names).toEqual([
    'Deployment parley-webhook',
    'HorizontalPodAutoscaler parley-webhook',
    'Job parley-webhook-migration',
    'NetworkPolicy parley-webhook',
    'NetworkPolicy parley-webhook-migration',
    'PodDisruptionBudget parley-webhook',
    'Service parley-webhook',
    'ServiceAccount parley-webhook',
    'ServiceMonitor parley-webhook',
  ]);
});

test('the README lists the top-level values', async () => {
  const values = Object.keys(parse(await helm(['show', 'values', chart])) as object);
  const rows = read('deploy/chart/README.md').matchAll(/^\| `(\w+)/gm);
  expect([...new Set(Array.from(rows, ([, name = '']) => name))].toSorted()).toEqual(values.toSorted());
});
