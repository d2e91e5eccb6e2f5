import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { api, basic } from '@parley/testing/api';
import { expect, inject, test } from 'vitest';

// The command line against the running services, as the README shows it.

const root = resolve(import.meta.dirname, '..');
const definition = resolve(root, 'packages/bot/samples/nps-follow-up.json');

async function parley<Output>(...args: string[]): Promise<Output> {
  const { identity, interaction, operatorToken } = inject('operator');
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['packages/cli/src/main.ts', ...args, '--json', '--identity', identity, '--interaction', interaction],
    { cwd: root, env: { ...process.env, PARLEY_OPERATOR_TOKEN: operatorToken } },
  );
  return JSON.parse(stdout) as Output;
}

test('a workspace, a key and a bot made on the command line serve the API', async () => {
  const workspace = await parley<{ id: string }>('workspace', 'create', '--name', 'Acme');
  const key = await parley<{ apiKey: string; apiSecret: string }>(
    'key',
    'create',
    '--workspace',
    workspace.id,
  );
  const first = await parley<{ id: string; version: number; isUnchanged: boolean }>(
    'bot',
    'publish',
    definition,
    '--workspace',
    workspace.id,
  );
  const again = await parley<{ id: string; version: number; isUnchanged: boolean }>(
    'bot',
    'publish',
    definition,
    '--workspace',
    workspace.id,
  );
  expect(first.isUnchanged).toBe(false);
  expect(again).toEqual({ ...first, isUnchanged: true });

  const calls = api(inject('local').baseUrl, basic(key.apiKey, key.apiSecret));
  const { body } = await calls.get(`/v1/workspaces/${workspace.id}/bots`);
  expect(body.data).toEqual([{ id: first.id, name: 'NPS follow-up', context: ['productName'] }]);

  await parley('key', 'revoke', key.apiKey);
  expect((await calls.get('/v1/workspaces')).status).toBe(401);
});
