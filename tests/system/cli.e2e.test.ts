import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { api, basic } from '@parley/testing/api';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { runCommand } from '../../packages/cli/tests/run-command.ts';

// Installs the packed command line in a project of its own.

const root = resolve(import.meta.dirname, '../..');
const definition = resolve(root, 'packages/bot/samples/nps-follow-up.json');
// The user's Node, not one that this repository installed.
const path = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => !folder.startsWith(root));
const env = { ...process.env, PATH: path.join(delimiter), NODE_OPTIONS: '', NODE_COMPILE_CACHE: '' };

/** An image of one pixel. */
const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

let project: string;

/** Runs a shell command in the project. `parley` works on the test's system. */
async function shell(line: string, cwd = project): Promise<string> {
  const options = { cwd, env: { ...env, PARLEY_DATA_DIR: join(project, 'run') } };
  const direct = line.replaceAll(/(^ *|\| )parley /gm, '$1node_modules/.bin/parley ');
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

test('a workspace, a key and a bot from the command line serve the API', async () => {
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

test('every example of the help works', async () => {
  const workspaceId = /^id +(\S+)/.exec(await shell('parley workspace create --name Examples'))?.[1];
  const apiKey = /prl_key_\w+/.exec(await shell(`parley key create --workspace ${workspaceId}`))?.[0];
  const groups = await Promise.all(['workspace', 'key', 'bot'].map(commandsOf));
  const helps = await Promise.all(groups.flat().map((command) => helpOf(...command)));
  expect(helps.length).toBeGreaterThan(10);
  // The examples name a file and ids that do not exist.
  await writeFile(join(project, 'leaf.png'), Buffer.from(png, 'base64'));
  const made = (example: string): string =>
    example.replaceAll(/01939f6a-\S+/g, String(workspaceId)).replaceAll(/prl_key_\S+/g, String(apiKey));
  for (const help of helps) {
    const example = /\nExamples?:\n((?: {2}.+\n)+)/.exec(help)?.[1];
    expect(example, help).toContain('parley ');
    // `bot-versions.e2e.test.ts` runs the commands that need an API key.
    if (!/ bot preview |PARLEY_API_KEY/.test(help)) await shell(made(String(example)));
  }
  // The example of `bot schema` has written it.
  expect(await readFile(join(project, 'bot-v1.schema.json'), 'utf8')).toBe(
    await readFile(resolve(root, 'packages/bot/bot-v1.schema.json'), 'utf8'),
  );
});

const helpOf = async (...command: string[]) => (await runCommand([...command, '--help'])).stdout;

/** The commands of a group, in the order of its help. */
async function commandsOf(group: string): Promise<string[][]> {
  const help = await helpOf(group);
  const names = help.slice(help.indexOf('Commands:')).matchAll(/^ {2}(?!help)([a-z]+) /gm);
  return Array.from(names, ([, name = '']) => [group, name]);
}

test('the packed preview serves its page and all assets', async () => {
  await shell('parley bot new "My bot.json"');
  const child = spawn('node_modules/.bin/parley', ['bot', 'preview', 'My bot.json'], {
    cwd: project,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const [output] = (await once(child.stdout, 'data')) as [Buffer];
  const url = /http:\S+/.exec(output.toString())?.[0];
  for (const asset of ['', 'page.css', 'page.mjs', 'landing.js', 'chunks/fields-AAAAAAAA.js'])
    expect((await fetch(`${url}${asset}`)).status).toBe(200);
  child.kill('SIGINT');
  expect(await exited).toEqual([0, null]);
});
