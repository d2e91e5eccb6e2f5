import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { api, basic } from '@parley/testing/api';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

// The command line as `npm pack` makes it, in a project that has nothing else of this repository.

const root = resolve(import.meta.dirname, '..');
const definition = resolve(root, 'packages/bot/samples/nps-follow-up.json');
// Their Node, not the one that this repository may have installed for itself.
const path = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => !folder.startsWith(root));
const env = { ...process.env, PATH: path.join(delimiter), NODE_OPTIONS: '', NODE_COMPILE_CACHE: '' };

/** One pixel. */
const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

let project: string;

/** Runs a line of a shell in the project, with the local run of this test as the usual one. */
async function shell(line: string, cwd = project): Promise<string> {
  const options = { cwd, env: { ...env, PARLEY_DATA_DIR: join(project, 'run') } };
  // What `npx` would run, without the second that it takes.
  const direct = line.replaceAll('npx parley', 'node_modules/.bin/parley');
  const running = promisify(execFile)('sh', ['-ec', direct], options);
  running.child.stdin?.end();
  return (await running).stdout;
}

/** Runs the installed `parley` on a deployment. */
async function parley<Output>(...args: string[]): Promise<Output> {
  const { identity, interaction, operatorToken } = inject('operator');
  const { stdout } = await promisify(execFile)(
    join(project, 'node_modules/.bin/parley'),
    [...args, '--json', '--identity', identity, '--interaction', interaction],
    { cwd: project, env: { ...env, PARLEY_OPERATOR_TOKEN: operatorToken } },
  );
  return JSON.parse(stdout) as Output;
}

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'parley-cli-'));
  await shell(`npm pack --silent --pack-destination '${project}'`, join(root, 'packages/cli'));
  await writeFile(join(project, 'package.json'), '{ "private": true }');
  await shell('npm install --offline --no-audit --no-fund ./parley-cli-*.tgz && mkdir run');
  await writeFile(join(project, 'run/operator.json'), JSON.stringify(inject('operator')));
});
afterAll(() => rm(project, { recursive: true, force: true }));

test('a workspace, a key and a bot made on the command line serve the API', async () => {
  const workspace = await parley<{ id: string }>('workspace', 'create', '--name', 'Acme');
  const key = await parley<{ apiKey: string; apiSecret: string }>(
    'key',
    'create',
    '--workspace',
    workspace.id,
  );
  const publish = ['bot', 'publish', definition, '--workspace', workspace.id];
  const first = await parley<{ id: string; version: number; isUnchanged: boolean }>(...publish);
  expect(first.isUnchanged).toBe(false);
  expect(await parley(...publish)).toEqual({ ...first, isUnchanged: true });

  const calls = api(inject('local').baseUrl, basic(key.apiKey, key.apiSecret));
  const { body } = await calls.get(`/v1/workspaces/${workspace.id}/bots`);
  expect(body.data).toEqual([{ id: first.id, name: 'NPS follow-up', context: ['productName'] }]);

  await parley('key', 'revoke', key.apiKey);
  expect((await calls.get('/v1/workspaces')).status).toBe(401);
});

test('every example of its help works as it stands, in their order', async () => {
  const workspaceId = /^id +(\S+)/.exec(await shell('npx parley workspace create --name Examples'))?.[1];
  const apiKey = /prl_key_\w+/.exec(await shell(`npx parley key create --workspace ${workspaceId}`))?.[0];
  const groups = await Promise.all(['workspace', 'key', 'bot'].map(commandsOf));
  const helps = await Promise.all(groups.flat().map((command) => shell(`npx parley ${command} --help`)));
  // What an example can only make up.
  await writeFile(join(project, 'leaf.png'), Buffer.from(png, 'base64'));
  const made = (example: string): string =>
    example.replaceAll(/01939f6a-\S+/g, String(workspaceId)).replaceAll(/prl_key_\S+/g, String(apiKey));
  for (const help of helps) {
    const example = /\nExamples?:\n((?: {2}.+\n)+)/.exec(help)?.[1];
    expect(example, help).toContain('npx parley ');
    if (!help.includes(' bot preview ')) await shell(made(String(example)));
  }
  expect(await shell('npx parley bot schema')).toBe(
    await readFile(resolve(root, 'packages/bot/schema/bot-v1.schema.json'), 'utf8'),
  );
});

/** The commands of a group, in the order of its help. */
async function commandsOf(group: string): Promise<string[]> {
  const help = await shell(`npx parley ${group} --help`);
  const names = help.slice(help.indexOf('Commands:')).matchAll(/^ {2}(?!help)([a-z]+) /gm);
  return Array.from(names, ([, name]) => `${group} ${name}`);
}

test('what it suggests is called as it was called itself: installed, and in the repository', async () => {
  const installed = await shell('npx parley bot new "My bot.json"');
  expect(installed).toContain(": try npx parley bot preview 'My bot.json'");
  await expectPreview(installed, project);

  const file = join(project, 'other.json');
  const inRepository = await shell(`npm run --silent parley bot new ${file}`, root);
  expect(inRepository).toContain(`: try npm run --silent parley -- bot preview ${file}`);
  await expectPreview(inRepository, root);
});

/** Runs the suggestion of `bot new`, and loads the page and what it consists of. */
async function expectPreview(said: string, cwd: string): Promise<void> {
  const command = said.split(': try ')[1] ?? '';
  const child = spawn('sh', ['-c', command], {
    cwd,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const [output] = (await once(child.stdout, 'data')) as [Buffer];
  const url = /http:\S+/.exec(output.toString())?.[0];
  for (const asset of ['', 'page.css', 'page.mjs', 'landing.js'])
    expect((await fetch(`${url}${asset}`)).status).toBe(200);
  process.kill(-Number(child.pid), 'SIGINT');
  await exited;
}
