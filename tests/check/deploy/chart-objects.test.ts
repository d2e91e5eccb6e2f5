import { optionalServices } from '@parley/contracts/services';
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { temporaryFolder } from '@parley/testing/setup/folders';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { chart, helm, notesOf, parseObjects, render } from './helm.ts';
import { faultsOf } from './kubernetes-faults.ts';

const peer = [{ podSelector: { matchLabels: { app: 'x' } } }];

/** Every option that is off or empty by default. */
const allOptions = {
  defaults: {
    image: { tag: `1.2.3@sha256:${'0'.repeat(64)}`, pullPolicy: 'Always', pullSecrets: ['registry'] },
    resources: { limits: { cpu: '2' } },
    env: { LOG_LEVEL: 'debug', OTEL_TRACES_SAMPLER: 'parentbased_traceidratio' },
    secrets: { OTEL_EXPORTER_OTLP_HEADERS: { name: 'collector', key: 'headers' } },
    serviceAccountAnnotations: { 'example.com/role': 'parley' },
    podAnnotations: { 'example.com/mesh': 'off' },
    nodeSelector: { 'kubernetes.io/arch': 'amd64' },
    tolerations: [{ key: 'parley', operator: 'Exists' }],
    affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [] } } },
    priorityClassName: 'important',
  },
  services: {
    gateway: { env: { TRUSTED_PROXIES: '10.0.0.0/8', RATE_LIMIT_PER_SECOND: '500' } },
    customer: { autoscaling: { enabled: false }, replicas: 3, spread: { zones: 'required' } },
    webhook: {
      autoscaling: { podMetric: { name: 'parley_webhook_oldest_due_age_seconds', averageValue: 30 } },
    },
    identity: {
      env: { OIDC_ISSUER: 'https://login.example.com', OIDC_CLIENT_ID: 'parley' },
      secrets: { OIDC_CLIENT_SECRET: { name: 'sign-in', key: 'secret' } },
    },
    interaction: {
      env: { LLM_BASE_URL: 'https://models.example.com/v1', LLM_MODEL: 'm' },
      secrets: { LLM_API_KEY: { name: 'model', key: 'token' } },
    },
  },
  ...Object.fromEntries(optionalServices.map((name) => [name, { enabled: true }])),
  addresses: { webhook: 'dns:///parley-webhook.webhooks:50051' },
  secretFiles: true,
  rpcTls: { enabled: true },
  extraCa: { configMap: 'authorities' },
  ingress: {
    enabled: true,
    className: 'nginx',
    annotations: { 'example.com/a': 'b' },
    hosts: ['parley.example.com'],
    tlsSecret: 'parley-tls',
  },
  metrics: {
    serviceMonitor: { enabled: true, labels: { release: 'prometheus' } },
    prometheusRule: { enabled: true, labels: { release: 'prometheus' } },
    dashboards: { enabled: true },
  },
  otlpEndpoint: 'http://collector:4318',
  networkPolicy: {
    peerNamespaces: ['parley', 'webhooks'],
    clients: peer,
    postgres: { to: peer },
    nats: { to: peer },
    otlp: { to: peer },
    webhooks: { to: peer, ports: [3128] },
    model: { to: peer },
    signIn: { to: peer },
  },
};
const allOff = {
  migrationJob: { enabled: false },
  metrics: { enabled: false },
  networkPolicy: { enabled: false },
  defaults: { autoscaling: { enabled: false } },
};

const releases: [string, string[], object][] = [
  ['minimal values', ['minimal.yaml'], {}],
  ['all options', ['minimal.yaml'], allOptions],
  ['everything optional off', ['minimal.yaml'], allOff],
  ['CloudNativePG', ['minimal.yaml', 'cloudnative-pg.yaml'], {}],
  ['a NATS cluster', ['minimal.yaml', 'nats.yaml'], {}],
  ['the webhook service alone', ['webhook-alone.yaml'], {}],
];

const complete = await render(['minimal.yaml'], allOptions);

test.each(releases)('with %s, Kubernetes knows all fields of all objects', async (_, files, values) => {
  const objects = await render(files, values);
  expect(objects.length).toBeGreaterThan(2);
  expect(objects.flatMap((object) => faultsOf(object).map((fault) => [object.metadata.name, fault]))).toEqual(
    [],
  );
});

test.each(releases)('with %s, Helm finds no fault', async (_, files, values) => {
  const options = [...files.map((file) => join(chart, 'examples', file)), '-'];
  await helm(['lint', chart, '--strict', ...options.flatMap((file) => ['--values', file])], values);
});

const withIngress = { ingress: { enabled: true, hosts: ['parley.example.com'] } };
const ofService = (service: string, env: object): object => ({ services: { [service]: { env } } });
const refused: [string, object, RegExp][] = [
  ['a misspelt variable', ofService('webhook', { EVENT_RETENTION_DAY: '30' }), /EVENT_RETENTION_DAY/],
  ['a misspelt variable of all services', { defaults: { env: { LOG_LEVL: 'info' } } }, /LOG_LEVL/],
  ['a variable of another service', ofService('gateway', { LLM_MODEL: 'm' }), /LLM_MODEL/],
  ['a variable that the chart sets', ofService('webhook', { LISTEN: '0.0.0.0:1' }), /LISTEN/],
  ['a variable of local runs', ofService('webhook', { ALLOW_PRIVATE_WEBHOOKS: 'true' }), /ALLOW_PRIVATE/],
  [
    'a number of days that is none',
    { defaults: { env: { EVENT_RETENTION_DAYS: 'abc' } } },
    /EVENT_RETENTION/,
  ],
  [
    'a misspelt credential',
    { services: { interaction: { secrets: { LLM_API_KYE: { name: 'model', key: 'k' } } } } },
    /LLM_API_KYE/,
  ],
  ...['OTEL_EXPORTER_OTLP_ENDPONT', 'OTEL_TRACE_SAMPLER', 'OTEL_EXPORTER_OTLP_TRACE_ENDPOINT'].flatMap(
    (name): [string, object, RegExp][] => [
      [`${name}, a misspelt variable of telemetry`, { defaults: { env: { [name]: 'x' } } }, RegExp(name)],
      [`${name} of one service`, ofService('webhook', { [name]: 'x' }), RegExp(name)],
      [
        `${name} from a Secret`,
        { defaults: { secrets: { [name]: { name: 'telemetry', key: 'k' } } } },
        RegExp(name),
      ],
    ],
  ),
  ...['latest', 'main', 'latest-amd64', 'main_x86-64', 'v1', '2'].map((tag): [string, object, RegExp] => [
    `the tag ${tag}, which moves`,
    { defaults: { image: { tag } } },
    /tag/,
  ]),
  [
    'more replicas than the maximum',
    { services: { webhook: { replicas: 5 } } },
    /services\.webhook: replicas \(5\) is more than autoscaling\.maxReplicas \(4\)/,
  ],
  ['an Ingress without TRUSTED_PROXIES', withIngress, /TRUSTED_PROXIES is required with an Ingress/],
  ['no limits', { services: { webhook: { resources: { limits: null } } } }, /limits\.memory is required/],
  ['no resources', { defaults: { resources: null } }, /limits\.memory is required/],
  ['an unknown level of the log', { defaults: { env: { LOG_LEVEL: 'loud' } } }, /LOG_LEVEL/],
  [
    'a metric without a target',
    { services: { webhook: { autoscaling: { podMetric: { name: 'parley_work_waiting' } } } } },
    /averageValue/,
  ],
];

test.each(refused)('%s is refused', async (_, values, fault) => {
  await expect(render(['minimal.yaml'], values)).rejects.toThrow(fault);
});

test('the notes warn about a single replica, which has no disruption budget, and about open networks', async () => {
  const single = { services: { webhook: { replicas: 1 } } };
  const notes = await notesOf(['minimal.yaml'], single);
  expect(notes.match(/WARNING: .*?(one replica|at any address)/g)).toEqual([
    'WARNING: parley-webhook has one replica',
    'WARNING: the network policies allow postgres at any address',
    'WARNING: the network policies allow nats at any address',
  ]);
  const budgets = (await render(['minimal.yaml'], single)).filter(
    ({ kind }) => kind === 'PodDisruptionBudget',
  );
  expect(budgets.map(({ metadata }) => metadata.name)).not.toContain('parley-webhook');
  const peers = { networkPolicy: { postgres: { to: peer }, nats: { to: peer } } };
  expect(await notesOf(['minimal.yaml'], peers)).not.toContain('WARNING');
});

test('misspelt fields and values of a wrong type are found in the values of the user', async () => {
  const defaults = {
    resources: { limts: { memory: '1Gi' } },
    affinity: { nodeAffinty: {} },
    tolerations: [{ operatr: 'Exists', operator: true }],
  };
  const objects = await render(['minimal.yaml'], { defaults });
  const deployment = objects.find(({ kind }) => kind === 'Deployment');
  const spec = '/spec/template/spec';
  expect(deployment && faultsOf(deployment).toSorted()).toEqual([
    expect.stringMatching(`^${spec}/affinity/nodeAffinty is unknown`),
    expect.stringMatching(`^${spec}/containers/0/resources/limts is unknown`),
    expect.stringMatching(`^${spec}/tolerations/0/operatr is unknown`),
    expect.stringContaining('must be string'),
  ]);
});

test('an unknown field is found in every kind of object', () => {
  for (const object of complete) {
    const changed = { ...object, misspelt: 1 };
    expect(faultsOf(changed)).toEqual(['/misspelt is unknown']);
    const metadata = { ...object.metadata, misspelt: 1 };
    expect(faultsOf({ ...object, metadata })).toEqual(['/metadata/misspelt is unknown']);
    if (!object.spec) continue;
    const spec = { ...object.spec, misspelt: 1 };
    expect(faultsOf({ ...object, spec })).toEqual(['/spec/misspelt is unknown']);
  }
});

test('a package of the chart has what the folder has', async () => {
  await using folder = await temporaryFolder('chart');
  await helm(['package', chart, '--destination', folder.path]);
  const [file = ''] = globSync('*.tgz', { cwd: folder.path });
  expect(await render(['minimal.yaml'], allOptions, join(folder.path, file))).toEqual(complete);
});

test('all rules and dashboards of deploy/observability are in the release', () => {
  const observability = join(chart, '../observability');
  const specs = complete.filter(({ kind }) => kind === 'PrometheusRule').map(({ spec }) => spec);
  const rules = globSync('rules/*.yaml', { cwd: observability }).toSorted();
  expect(rules.length).toBeGreaterThan(0);
  expect(specs).toEqual(rules.map((file) => parse(readFileSync(join(observability, file), 'utf8'))));
  const files = globSync('dashboards/*.json', { cwd: observability }).toSorted();
  const dashboards = complete.filter(({ kind }) => kind === 'ConfigMap').map(({ data }) => data);
  expect(dashboards).toEqual(
    files.map((file) => ({ [basename(file)]: readFileSync(join(observability, file), 'utf8') })),
  );
});

test('the objects for CloudNativePG have known fields only', () => {
  const objects = parseObjects(readFileSync(join(chart, 'examples/cloudnative-pg-cluster.yaml'), 'utf8'));
  expect(objects.map(({ kind }) => kind)).toEqual(['Cluster', 'ScheduledBackup', 'ObjectStore']);
  expect(objects.flatMap(faultsOf)).toEqual([]);
});
