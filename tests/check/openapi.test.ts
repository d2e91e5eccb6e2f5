import { execFile } from 'node:child_process';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { temporaryFolder } from '@parley/testing/setup/folders';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { beforeAll, expect, test } from 'vitest';
import { type ApiDocument, readApi } from '../../packages/sdk-generator/src/api.ts';
import type { CodeSample } from '../../services/gateway/src/openapi/samples.ts';

// The description of the API, and what is made from it.

const root = resolve(import.meta.dirname, '../..');

interface Described {
  paths: Record<string, Record<string, { operationId: string; 'x-codeSamples': CodeSample[] }>>;
}

/** Runs a command in a folder. Returns its standard output; a failure has its output. */
async function run(cwd: string, command: string, ...args: string[]): Promise<string> {
  try {
    return (await promisify(execFile)(command, args, { cwd, maxBuffer: 16 * 1024 * 1024 })).stdout;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    return expect.fail(`${command} ${args.join(' ')}\n${stdout}${stderr}`);
  }
}

async function write(folder: string, files: Record<string, string>): Promise<void> {
  await Promise.all(Object.entries(files).map(([name, text]) => writeFile(join(folder, name), text)));
}

/** A document that is changed. */
interface Changed {
  paths: Record<string, Record<string, { parameters?: object[]; responses?: object }>>;
  components: {
    parameters: Record<string, { name: string; in: string }>;
    schemas: Record<string, { enum?: string[]; properties?: Record<string, object> }>;
  };
}

/**
 * What the SDKs have for `petName`, `Paused`, `customers.getMood` with the parameters `tone` and `X-Mood`, and
 * `customers.cheer`, which has no answer.
 */
const additions = {
  'packages/client/src/gen/api.ts': ['  petName?: string;', "| 'Paused'"],
  'packages/client/src/gen/calls.ts': ['getMood: (', "'requestId' | 'mood'", 'tone?: string', 'send<null>('],
  'packages/client/src/gen/headers.ts': ['mood?: string;', "mood: 'x-mood'"],
  'packages/sdk-python/src/parley/gen/types.py': ['"petName": ("pet_name", None, False)', '"Paused"'],
  'packages/sdk-python/src/parley/gen/calls.py': [
    'def get_mood(',
    'pet_name: Union[str, NotGiven]',
    'tone: Optional[str] = None',
    '"request_id", "mood",)',
    'def cheer(',
  ],
  'packages/sdk-python/src/parley/gen/options.py': ['mood: Optional[str] = None', '"mood": "x-mood"'],
  'packages/sdk-python/src/parley/gen/async_calls.py': ['async def get_mood('],
  'packages/sdk-go/types_gen.go': ['PetName *string `json:"petName,omitempty"`', '= "Paused"'],
  'packages/sdk-go/calls_gen.go': [
    ') GetMood(ctx context.Context, ',
    'Tone string `json:"tone"`',
    'IsLoud *bool `json:"isLoud"`',
    '"X-Request-Id", "X-Mood"}',
    'func WithMood(value string) Option',
    ') Cheer(ctx context.Context, customerID string, options ...Option) error {',
  ],
};

const generatedPaths = [
  'packages/client/src/gen',
  'packages/sdk-python/src/parley/gen',
  // A package of Go is one folder.
  'packages/sdk-go/calls_gen.go',
  'packages/sdk-go/errors_gen.go',
  'packages/sdk-go/types_gen.go',
];

let description: string;
beforeAll(async () => {
  description = await run(root, process.execPath, 'services/gateway/src/openapi/print.ts');
});

test('the API’s description has no linter problems', async () => {
  const config = await createConfig({ extends: ['recommended-strict'] });
  const problems = await lintFromString({ source: description, config });
  // The id of a webhook is a UUID, so it is never `portal-links`.
  const isResolved = ({ ruleId, message }: (typeof problems)[number]): boolean =>
    ruleId === 'no-ambiguous-paths' && message.includes('/webhooks/portal-links/');
  const open = problems.filter((problem) => !isResolved(problem));
  expect(
    open.map(({ ruleId, message, location }) => `${location[0]?.pointer} ${ruleId}: ${message}`),
  ).toEqual([]);
});

test('the generated code of every SDK matches the API', async () => {
  await using folder = await temporaryFolder('generated');
  await using input = await temporaryFolder('description');
  await write(input.path, { 'openapi.json': description });
  const generate = '"$0" packages/sdk-generator/generate.ts "$1" < "$2/openapi.json"';
  await run(root, 'sh', '-c', generate, process.execPath, folder.path, input.path);
  for (const generated of generatedPaths)
    await run(root, 'diff', '-r', '--exclude=__pycache__', join(folder.path, generated), generated);
});

test('every SDK takes every parameter of every operation', () => {
  const document = JSON.parse(description) as ApiDocument;
  for (const operation of readApi(document).operations) {
    const described = document.paths[operation.path]?.[operation.method.toLowerCase()];
    const given = described?.parameters.map(
      (one) => document.components.parameters[one.$ref?.split('/').at(-1) ?? ''] ?? one,
    );
    const { params, query, headers, scope, result } = operation;
    const bound = scope === 'workspace' || scope === 'session' ? ['workspaceId'] : [];
    const chosen = result.kind === 'export' ? ['format'] : [];
    const taken = [...params, ...query, ...headers].map(({ name }) => name);
    expect([...bound, ...taken, ...chosen].toSorted(), operation.id).toEqual(
      given?.map(({ name }) => name).toSorted(),
    );
  }
});

test('a field, an enum value, an operation and parameters more are in every SDK', async () => {
  await using folder = await temporaryFolder('generated');
  await using input = await temporaryFolder('description');
  const { paths, components } = JSON.parse(description) as Changed;
  const path = '/v1/workspaces/{workspaceId}/customers/{customerId}';
  const { get } = paths[path] ?? {};
  const renamed = { ...get, operationId: 'getCustomerMood', 'x-client-method': 'customers.getMood' };
  const more = [
    { name: 'tone', in: 'query', schema: { type: 'string' } },
    { name: 'isLoud', in: 'query', schema: { type: 'boolean' } },
    { name: 'X-Mood', in: 'header', schema: { type: 'string' } },
  ];
  const cheer = { ...renamed, operationId: 'cheerCustomer', 'x-client-method': 'customers.cheer' };
  paths[`${path}/mood`] = {
    get: { ...renamed, parameters: [...(get?.parameters ?? []), ...more] },
    post: { ...cheer, responses: { 204: { description: 'Cheered' } } },
  };
  components.schemas['InteractionStatus']?.enum?.push('Paused');
  for (const name of ['Customer', 'NewCustomer']) {
    const { properties = {} } = components.schemas[name] ?? {};
    properties['petName'] = { type: 'string' };
  }
  await write(input.path, { 'openapi.json': JSON.stringify({ paths, components }) });
  const generate = '"$0" packages/sdk-generator/generate.ts "$1" < "$2/openapi.json"';
  await run(root, 'sh', '-c', generate, process.execPath, folder.path, input.path);
  for (const [file, texts] of Object.entries(additions)) {
    const text = await readFile(join(folder.path, file), 'utf8');
    for (const added of texts) expect(text, file).toContain(added);
  }
});

test('the TypeScript sample of every operation compiles against the client', async () => {
  await using folder = await temporaryFolder('samples');
  const { paths } = JSON.parse(description) as Described;
  const operations = Object.values(paths).flatMap((item) => Object.values(item));
  expect(operations.length).toBeGreaterThan(40);
  await symlink(join(root, 'node_modules'), join(folder.path, 'node_modules'));
  const compilerOptions = {
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    customConditions: ['@parley/source'],
    target: 'esnext',
    module: 'nodenext',
    moduleDetection: 'force',
    lib: ['esnext', 'dom'],
    types: [],
  };
  const samples = operations.map(({ operationId, 'x-codeSamples': given }): [string, string] => [
    `${operationId}.ts`,
    given.find(({ lang }) => lang === 'TypeScript')?.source ?? '',
  ]);
  await write(folder.path, {
    ...Object.fromEntries(samples),
    'package.json': JSON.stringify({ type: 'module' }),
    'tsconfig.json': JSON.stringify({ compilerOptions, include: ['*.ts'] }),
  });
  await run(folder.path, 'tsc', '--project', '.');
});

// The generators need a compiler with a JavaScript API: typescript 5, which this package has.
const modules = join(root, 'packages/testing/node_modules');

const orval = (client: string, output: object) => ({
  input: './openapi.json',
  output: { target: `./orval/${client}.ts`, client, ...output },
});

const projectOfClients = {
  'package.json': JSON.stringify({ type: 'module' }),
  'orval.config.mjs': `export default ${JSON.stringify({
    fetch: orval('fetch', {}),
    split: orval('fetch', { target: './orval/split/api.ts', schemas: './orval/model', mode: 'tags-split' }),
    zod: orval('zod', {}),
  })};`,
  'tsconfig.json': JSON.stringify({
    compilerOptions: {
      strict: true,
      noEmit: true,
      target: 'es2022',
      module: 'esnext',
      moduleResolution: 'bundler',
      lib: ['es2023', 'dom', 'dom.iterable'],
      types: [],
    },
    include: ['openapi-typescript.ts', 'openapi-ts', 'orval', 'use.ts'],
  }),
  // The minimum fields that the API accepts; one fewer is an error.
  'use.ts': `import createClient from 'openapi-fetch';
import type { paths } from './openapi-typescript';
import { createInteraction, rotateSigningSecret } from './openapi-ts';
import { createInteraction as createByOrval } from './orval/fetch';
import { CreateInteractionBody } from './orval/zod';

const path = { workspaceId: 'w' };
const body = { customerId: 'customer-1', botId: 'b' };
const { POST, GET } = createClient<paths>({ baseUrl: 'http://127.0.0.1' });
const made = await POST('/v1/workspaces/{workspaceId}/interactions', { params: { path }, body });
export const status: 'Draft' | 'Pending' | 'InProgress' | 'Completed' | 'Expired' | undefined = made.data?.data.status;
export const type: string | undefined = made.error?.type;
await GET('/v1/workspaces/{workspaceId}/interactions', { params: { path } });
await POST('/v1/workspaces/{workspaceId}/webhooks/{webhookId}/secret/rotate', {
  params: { path: { ...path, webhookId: 'h' } },
});
// @ts-expect-error
await POST('/v1/workspaces/{workspaceId}/interactions', { params: { path }, body: { botKey: 'b' } });

export const id: string | undefined = (await createInteraction({ path, body })).data?.data.id;
await rotateSigningSecret({ path: { ...path, webhookId: 'h' } });
// @ts-expect-error
await createInteraction({ path, body: { botId: 'b' } });

const answer = await createByOrval('w', body);
export const shown: string = answer.status === 200 ? answer.data.data.id : answer.data.type;
CreateInteractionBody.parse(body);
`,
};

test('generated clients compile strictly, and require no field that has a default', async () => {
  await using folder = await temporaryFolder('clients');
  const generate = (name: string, ...args: string[]): Promise<string> =>
    run(folder.path, join(modules, '.bin', name), ...args);
  await symlink(modules, join(folder.path, 'node_modules'));
  await write(folder.path, { ...projectOfClients, 'openapi.json': description });
  await Promise.all([
    generate('openapi-typescript', 'openapi.json', '--output', 'openapi-typescript.ts'),
    generate('openapi-ts', '--input', 'openapi.json', '--output', 'openapi-ts', '--silent'),
    generate('orval', '--config', 'orval.config.mjs'),
  ]);
  await run(folder.path, 'tsc', '--project', '.');
});
