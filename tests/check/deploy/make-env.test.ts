import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { callerNames } from '@parley/contracts/method-access';
import { databaseServices, serviceNames } from '@parley/contracts/services';
import { temporaryFolder } from '@parley/testing/setup/folders';
import { expect, test } from 'vitest';
import { readers } from './config-readers.ts';
import { composeWith, networksOf } from './compose-file.ts';

const deploy = resolve(import.meta.dirname, '../../../deploy');

/** Runs deploy/make-env in a folder of its own, on the given content of `.env`. Returns its output and the content. */
async function run(given?: string) {
  await using folder = await temporaryFolder('make-env');
  return runIn(folder.path, given);
}

async function runIn(path: string, given?: string, ...args: string[]) {
  const folder = { path };
  for (const name of ['make-env', 'secret-files.sh', 'services.sh'])
    await cp(join(deploy, name), join(folder.path, name));
  const file = join(folder.path, '.env');
  if (given !== undefined) await writeFile(file, given);
  const { stdout } = await promisify(execFile)('sh', [join(folder.path, 'make-env'), ...args]);
  const text = await readFile(file, 'utf8');
  const values = new Map(
    text.split('\n').map((line) => [line.replace(/=.*/, ''), line.replace(/^[^=]*=/, '')]),
  );
  return { stdout, text, values, mode: (await stat(file)).mode & 0o777 };
}

/** Returns the names and digests of callers. */
function callersIn(values: ReadonlyMap<string, string>): Record<string, string> {
  const entries = values.get('RPC_CALLERS')?.split(',') ?? [];
  return Object.fromEntries(entries.map((entry) => entry.split(':')));
}

const full = await run();

const upper = (name: string): string => name.toUpperCase();
const tokenNameOf = (name: string): string =>
  name === 'cli' ? 'OPERATOR_TOKEN' : `${upper(name)}_RPC_TOKEN`;
const sha256 = (text = ''): string => createHash('sha256').update(text).digest('hex');
const withoutInsight = (text: string): string =>
  text.replace(/^\w*INSIGHT\w*=.*\n/gm, '').replace(/,insight:[0-9a-f]+/, '');

test('a new file has all passwords, tokens with their digests, and keys; only its owner can read it', () => {
  const { values, mode } = full;
  expect(mode).toBe(0o600);
  for (const name of databaseServices)
    expect(values.get(`${upper(name)}_PASSWORD`)).toMatch(/^[0-9a-f]{48}$/);
  for (const name of [...serviceNames, 'admin'])
    expect(values.get(`NATS_${upper(name)}_PASSWORD`)).toMatch(/^p[0-9a-f]{48}$/);
  const digests = callerNames.map((name) => [name, sha256(values.get(tokenNameOf(name)))]);
  expect(callersIn(values)).toEqual(Object.fromEntries(digests));
  expect(values.get('SESSION_KEYS')).toMatch(/^k1:.{44}$/);
});

test('a file with all secrets stays as it is', async () => {
  const { text } = full;
  expect(await run(text)).toMatchObject({ text, stdout: expect.stringContaining('is kept') });
});

test('a file of a release without a service gets its secrets, and keeps all others', async () => {
  const older = `${withoutInsight(full.text)}PORT=8080`;
  const { values, text, stdout } = await run(older);
  expect(stdout).toContain(': INSIGHT_PASSWORD INSIGHT_RPC_TOKEN RPC_CALLERS NATS_INSIGHT_PASSWORD\n');
  expect(callersIn(values)['insight']).toBe(sha256(values.get('INSIGHT_RPC_TOKEN')));
  expect(withoutInsight(text)).toBe(`${older}\n`);
});

test('a file with keys of all services in one gets no others: what they encrypt exists', async () => {
  const older = 'ENCRYPTION_KEYS=k1:of-all\nRPC_TOKEN=token-of-all\n';
  const { text } = await run(older);
  expect(text.startsWith(older)).toBe(true);
  expect(text.match(/\w+_KEYS=/g)).toEqual(['ENCRYPTION_KEYS=']);
});

/** Returns the variables of a service of compose, and its secrets in the folder of files, by their variables. */
async function environmentOf(service: string, folder: string, values: ReadonlyMap<string, string>) {
  const { services } = composeWith(Object.fromEntries(values));
  const { environment = {}, volumes = [] } = services[service] ?? {};
  const mount = volumes.find((one) => typeof one === 'object' && one.target === '/run/secrets');
  const source = typeof mount === 'object' ? mount.source : '';
  expect(source).toBe(`./secrets/${service}`);
  const inFolder = Object.entries(environment).map(([name, value]) => [
    name,
    (value ?? '').replace('/run/secrets', join(folder, source)),
  ]);
  return Object.fromEntries(inFolder) as Record<string, string>;
}

test('with --files, no container has a secret in its variables, and each service reads its own files only', async () => {
  await using folder = await temporaryFolder('make-env-files');
  const extra =
    'PARLEY_OTEL_EXPORTER_OTLP_HEADERS=api-key=of-otel\nLLM_API_KEY=model-key\nLLM_BASE_URL=https://m.test\nLLM_MODEL=m\nGRAFANA_PASSWORD=g\n';
  const { values } = await runIn(folder.path, `${full.text}${extra}`, '--files');
  const secrets = [...full.values].filter(([name]) => name && name !== 'RPC_CALLERS');
  expect(secrets.length).toBeGreaterThan(20);
  expect([...values.keys()].filter((name) => full.values.has(name) && name)).toEqual(['RPC_CALLERS']);
  expect(values.get('GRAFANA_PASSWORD')).toBe('g');
  const { services } = composeWith(Object.fromEntries(values));
  for (const [name, { environment = {} }] of Object.entries(services)) {
    const text = JSON.stringify(environment);
    const shown = [...secrets, ['LLM_API_KEY', 'model-key'], ['', 'of-otel']].filter(([, value = '']) =>
      text.includes(value),
    );
    expect([name, shown]).toEqual([name, []]);
  }
  for (const service of serviceNames) {
    const env = await environmentOf(service, folder.path, values);
    readers[service](env);
    const files = await readdir(join(folder.path, 'secrets', service));
    const named = Object.keys(env).filter((name) => name.endsWith('_FILE') && env[name]);
    expect(files.toSorted()).toEqual(named.map((name) => name.replace(/_FILE$/, '')).toSorted());
  }
  const modeOf = async (...path: string[]) =>
    (await stat(join(folder.path, 'secrets', ...path))).mode & 0o777;
  expect(await Promise.all([modeOf(), modeOf('all.env'), modeOf('identity')])).toEqual([0o700, 0o600, 0o755]);
  expect(await readFile(join(folder.path, 'secrets/interaction/LLM_API_KEY'), 'utf8')).toBe('model-key\n');
});

test('a secret that is added to the variables later becomes a file too, and all others stay', async () => {
  await using folder = await temporaryFolder('make-env-files');
  const { text } = await runIn(folder.path, full.text, '--files');
  const before = await readFile(join(folder.path, 'secrets/all.env'), 'utf8');
  const own = 'IDENTITY_DATABASE_URL=postgres://db.test/i\nSESSION_KEYS=k2:new\n';
  const { values } = await runIn(folder.path, text + own);
  expect(values.has('SESSION_KEYS')).toBe(false);
  const read = (path: string) => readFile(join(folder.path, 'secrets', path), 'utf8');
  expect(await read('identity/DATABASE_URL')).toBe('postgres://db.test/i\n');
  expect(await read('gateway/SESSION_KEYS')).toBe('k2:new\n');
  const [, session = ''] = /^(SESSION_KEYS=.*)$/m.exec(before) ?? [];
  const expected = before.replace(session, 'SESSION_KEYS=k2:new').split('\n').filter(Boolean);
  expected.push('IDENTITY_DATABASE_URL=postgres://db.test/i');
  expect((await read('all.env')).split('\n').filter(Boolean).toSorted()).toEqual(expected.toSorted());
});

test('a file of a secret has the value that compose reads: without quotes, comments and doubled dollars', async () => {
  await using folder = await temporaryFolder('make-env-files');
  const own = [
    `LLM_API_KEY="a$$b\\"c # d"`,
    `OIDC_CLIENT_SECRET='a$$b"c'`,
    'WEBHOOK_EGRESS_PROXY=http://u:p$$w@proxy.test#1 # ours ',
    `IDENTITY_DATABASE_URL='postgres://db.test/i' # ours`,
    'INSIGHT_DATABASE_URL=""',
  ];
  const first = await runIn(folder.path, `${full.text}${own.join('\n')}\n`, '--files');
  const read = (path: string) => readFile(join(folder.path, 'secrets', path), 'utf8');
  const expectFiles = async () => {
    expect(await read('interaction/LLM_API_KEY')).toBe('a$b"c # d\n');
    expect(await read('identity/OIDC_CLIENT_SECRET')).toBe('a$$b"c\n');
    expect(await read('webhook/WEBHOOK_EGRESS_PROXY')).toBe('http://u:p$w@proxy.test#1\n');
    expect(await read('identity/DATABASE_URL')).toBe('postgres://db.test/i\n');
    expect(await read('insight/DATABASE_URL')).toMatch(/^postgres:\/\/parley_insight:/);
  };
  await expectFiles();
  await runIn(folder.path, first.text);
  await expectFiles();
});

test('with secrets as files, only a service whose database or broker is outside leaves the internal network', async () => {
  await using folder = await temporaryFolder('make-env-files');
  const own =
    'INSIGHT_DATABASE_URL=postgres://db.test/i\nGATEWAY_NATS_URL=tls://bus.test\nDATABASES_OUTSIDE=1\n';
  const { text, values } = await runIn(folder.path, full.text + own, '--files');
  const outside = (given: ReadonlyMap<string, string>) => {
    const { services } = composeWith(Object.fromEntries(given));
    return serviceNames.flatMap((name) => {
      const networks = services[name] ? networksOf(services[name]) : [];
      return networks.filter((one) => /^outside-.*(data|bus)$/.test(one)).map((one) => `${name} ${one}`);
    });
  };
  expect(outside(values).toSorted()).toEqual(['gateway outside-bus', 'insight outside-data']);
  const derived = [...values.keys()].filter((name) => name.endsWith('_OUTSIDE'));
  expect(derived.toSorted()).toEqual(['GATEWAY_NATS_OUTSIDE', 'INSIGHT_DATABASE_OUTSIDE']);
  const page = await readFile(resolve(deploy, '../docs/operations/secrets.md'), 'utf8');
  for (const name of derived) expect(page).toContain(`\`*${name.slice(name.indexOf('_'))}\``);
  const back = await runIn(folder.path, `${text}INSIGHT_DATABASE_URL=\n`);
  expect(outside(back.values)).toEqual(['gateway outside-bus']);
});
