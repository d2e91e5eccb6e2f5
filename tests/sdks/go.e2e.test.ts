import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { createWorkspace, type TestWorkspace } from '@parley/testing/api';
import { eventually } from '@parley/testing/eventually';
import { buildGo, findGo, raceFlags, runGo } from '@parley/testing/servers/go';
import { freePort } from '@parley/testing/servers/ports';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { npsBot } from '../conversations/sample-bots.ts';

// What only the Go SDK has to show. The cases of all SDKs are in `sdks.e2e.test.ts`.

const { baseUrl } = inject('local');
const sdk = resolve(import.meta.dirname, '../../packages/sdk-go');
const bytesMax = 1_500_000;

interface Described {
  paths: Record<
    string,
    Record<string, { operationId: string; 'x-codeSamples': { lang: string; source: string }[] }>
  >;
}

let folder: string;
let workspace: TestWorkspace;
let env: NodeJS.ProcessEnv;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-go-'));
  workspace = await createWorkspace(baseUrl, inject('operator'));
  const { id, apiKey, apiSecret } = workspace;
  const keys = { PARLEY_API_KEY: apiKey, PARLEY_API_SECRET: apiSecret };
  env = { PARLEY_URL: baseUrl, PARLEY_WORKSPACE: id, ...keys };
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Builds a program that uses the SDK. Returns its path. */
async function build(name: string, source: string): Promise<string> {
  await writeModule(name, source);
  return buildGo(join(folder, name), `sample-${name}`);
}

async function writeModule(name: string, source: string): Promise<void> {
  const module = `module ${name}\n\ngo 1.19\n\nrequire go.parley.example/parley v0.2.0\n\n`;
  await mkdir(join(folder, name));
  await writeFile(join(folder, name, 'go.mod'), `${module}replace go.parley.example/parley => ${sdk}\n`);
  await writeFile(join(folder, name, 'main.go'), source);
}

/** Returns what gofmt would change. */
async function gofmt(...paths: string[]): Promise<string> {
  const { path, env: own } = await findGo();
  const program = path.replace(/go$/, 'gofmt');
  return (await promisify(execFile)(program, ['-d', ...paths], { env: { ...process.env, ...own } })).stdout;
}

const programs = async (): Promise<string[]> => {
  const readme = await readFile(join(sdk, 'README.md'), 'utf8');
  return Array.from(readme.matchAll(/```go\n(package main\n[^`]*)```/g), ([, source = '']) => source);
};

test('the module and the runner of the cases pass go vet, and are in the form of gofmt', async () => {
  const runner = join(import.meta.dirname, 'go');
  await Promise.all([runGo(sdk, 'vet', '.'), runGo(runner, 'vet', '.')]);
  const { path, env: own } = await findGo();
  const gofmt = path.replace(/go$/, 'gofmt');
  const { stdout } = await promisify(execFile)(gofmt, ['-l', sdk, runner], {
    env: { ...process.env, ...own },
  });
  expect(stdout).toBe('');
});

test('the tests of the module pass, with the detector of data races', async () => {
  // Another test vets the module.
  expect(await runGo(sdk, 'test', ...raceFlags, '-count=1', '-vet=off', '.')).toMatch(/^ok\s/);
});

test('a program with a call, a list, an export and a webhook is less than 1.5 MB larger', async () => {
  const plain = `package main

import (
	"encoding/json"
	"fmt"
	"net/http"
)

func main() {
	response, err := http.Get("http://localhost")
	var answer any
	fmt.Println(err, json.NewDecoder(response.Body).Decode(&answer), answer)
}
`;
  const full = `package main

import (
	"context"
	"fmt"

	"go.parley.example/parley"
)

func main() {
	client, err := parley.New("http://localhost", "key", "secret")
	ctx, workspace := context.Background(), client.Workspace("id")
	fmt.Println(err)
	fmt.Println(workspace.Interactions.Create(ctx, parley.NewInteraction{CustomerID: "ada"}))
	fmt.Println(workspace.Customers.List(ctx, nil).Next(), workspace.Interactions.Export(ctx, nil).Next())
	fmt.Println(parley.VerifyWebhook(nil, nil, nil))
}
`;
  const [before, after] = await Promise.all(
    Object.entries({ plain, full }).map(
      async ([name, source]) => (await stat(await build(name, source))).size,
    ),
  );
  expect((after ?? 0) - (before ?? 0)).toBeLessThan(bytesMax);
});

test('the Go sample of every operation in the reference compiles, in the form of gofmt', async () => {
  const document = inject('openapi') as unknown as Described;
  const samples = Object.values(document.paths).flatMap((item) => Object.values(item));
  expect(samples.length).toBeGreaterThan(40);
  const functions = samples.flatMap(({ operationId, 'x-codeSamples': given }) => {
    const source = given.find(({ lang }) => lang === 'Go')?.source;
    if (source === undefined) return [];
    const unused = /^result(?=, err :=)/m.exec(source)?.[0];
    const body = [source, ...(unused ? [`_ = ${unused}`] : []), 'return err'].join('\n');
    return `func ${operationId}(ctx context.Context) error {\n${body.replaceAll(/^(?=.)/gm, '\t')}\n}\n`;
  });
  expect(functions.length).toBeGreaterThan(70);
  const imports = ['context', 'fmt'].map((name) => `\t"${name}"\n`).join('');
  const source = `package samples\n\nimport (\n${imports}\n\t"go.parley.example/parley"\n)\n\n${functions.join('\n')}`;
  await writeModule('samples', source);
  await runGo(join(folder, 'samples'), 'vet', '.');
  expect(await gofmt(join(folder, 'samples'))).toBe('');
});

test('the Go of the documentation compiles, in the form of gofmt', async () => {
  const pages = ['client.md', 'client-calls.md', 'customer-sessions.md'].map((name) =>
    readFile(resolve(import.meta.dirname, '../../docs', name), 'utf8'),
  );
  const text = (await Promise.all(pages)).join('\n');
  const blocks = Array.from(text.matchAll(/```go\n([^`]*)```/g), ([, source = '']) => source);
  expect(blocks.length).toBeGreaterThan(9);
  const names = 'botID, interactionID, savedCursor, webhookID, workspaceID string';
  const functions = blocks.map((source, index) => {
    const body = source.replaceAll(/^(?=.)/gm, '\t');
    return `func block${index}(ctx context.Context, ${names}) error {\n${body}\treturn err\n}\n`;
  });
  const imports = ['context', 'errors', 'fmt', 'io', 'net/http', 'os']
    .map((name) => `\t"${name}"\n`)
    .join('');
  const variables = `var (
	body      []byte
	err       error
	file      io.Writer
	request   *http.Request
	response  http.ResponseWriter
	secrets   []string
	workspace *parley.WorkspaceClient
)
`;
  const source = `package pages\n\nimport (\n${imports}\n\t"go.parley.example/parley"\n)\n\n${variables}\n${functions.join('\n')}`;
  await writeModule('pages', source);
  await runGo(join(folder, 'pages'), 'vet', '.');
  expect(await gofmt(join(folder, 'pages'))).toBe('');
});

test('the first call, the first export and the first import of the README work', async () => {
  await workspace.publish(npsBot);
  const [call = '', , exporting = '', importing = ''] = await programs();
  const run = async (name: string, source: string) =>
    (await promisify(execFile)(await build(name, source), [], { env, cwd: folder })).stdout;
  expect(await run('call', call)).toMatch(/^http\S+\n$/);
  const { data } = await workspace.client.interactions.list();
  await workspace.client.interactions.update(data[0]?.id ?? '', { status: 'Completed' });
  const output = await run('export', exporting);
  expect(output).toContain(data[0]?.id);
  expect(output).toMatch(/\ncontinue with the cursor \S+\n$/);
  await writeFile(join(folder, 'customers.csv'), 'ada,Ada\n..,No\n');
  expect(await run('import', importing)).toMatch(/^ada http\S+\n\.\. invalid-request .+\n$/);
});

test('the receiver of the README prints verified deliveries, and refuses others', async () => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/parley`;
  const { webhooks } = workspace.client;
  const { id } = await webhooks.create({ url, secretToken: 'of the readme', isActive: true });
  const { signingSecret } = await webhooks.rotateSigningSecret(id, { overlapSeconds: 0 });
  const [, source = ''] = await programs();
  const path = await build('receiver', source.replace('127.0.0.1:8080', `127.0.0.1:${port}`));
  const receiver = spawn(path, [], { env: { PARLEY_SIGNING_SECRET: signingSecret }, stdio: 'pipe' });
  const lines: string[] = [];
  createInterface({ input: receiver.stdout }).on('line', (line) => lines.push(line));
  try {
    await eventually(async () => expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(401));
    await webhooks.sendTest(id);
    await webhooks.sendTest(id, { event: 'InteractionExpired', ignoreFilter: true });
    await eventually(() => expect(lines.toSorted().join()).toMatch(/^completed .*,expired /));
  } finally {
    await ended(receiver);
  }
});

async function ended(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit');
  child.kill();
  await exit;
}
