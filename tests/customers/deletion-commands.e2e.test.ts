import { noDetails } from '@parley/contracts/customer-details';
import { createWorkspace, type TestWorkspace } from '@parley/testing/api';
import { beforeAll, expect, inject, test } from 'vitest';
import { runCommand } from '../../packages/cli/tests/run-command.ts';
import type { Interaction } from '../insight/nps-workspace.ts';
import { npsBot } from '../conversations/sample-bots.ts';

const { baseUrl } = inject('local');

let workspace: TestWorkspace;
let env: Record<string, string>;
beforeAll(async () => {
  workspace = await createWorkspace(baseUrl, inject('operator'));
  const { apiKey: PARLEY_API_KEY, apiSecret: PARLEY_API_SECRET } = workspace;
  env = { PARLEY_URL: baseUrl, PARLEY_API_KEY, PARLEY_API_SECRET };
});

const parley = (...args: string[]) => runCommand(args, { env });

async function read(...args: string[]): Promise<unknown> {
  const { exitCode, stdout, stderr } = await parley(...args, '--json');
  expect([exitCode, stderr]).toEqual([0, '']);
  return JSON.parse(stdout);
}

test('interactions and customers are deleted with --yes, and never without', async () => {
  const botId = await workspace.publish(npsBot);
  const { id } = (await workspace.api.post<Interaction>('/interactions', { customerId: 'ada', botId })).body
    .data;
  for (const thing of [
    ['interaction', 'delete', id],
    ['customer', 'delete', 'ada'],
  ]) {
    expect(await parley(...thing)).toMatchObject({ exitCode: 2, stdout: '' });
    expect(await read(...thing, '--yes')).toEqual({ id: thing[2] });
    expect(await parley(...thing, '--yes')).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: `parley: The workspace has no ${thing[0]} ${thing[2]}\n`,
    });
  }
});

test('customers are found by the beginning of their e-mail address, and anonymised with --yes', async () => {
  await workspace.api.post('/customers', { id: 'g', firstName: 'Grace', email: 'grace@example.com' });
  const found = [{ id: 'g', ...noDetails, firstName: 'Grace', email: 'grace@example.com' }];
  expect(await read('customer', 'find', 'GRACE@')).toEqual(found);
  expect(await parley('customer', 'anonymise', 'g')).toMatchObject({ exitCode: 2, stdout: '' });
  expect(await read('customer', 'anonymise', 'g', '--yes')).toEqual({ id: 'g' });
  expect((await parley('customer', 'find', 'grace@')).stdout).toBe('There are no such customers.\n');
});

test('the retention is previewed, set, shown and ended', async () => {
  const counts = { interactions: 0, completed: 0, ended: 0, draft: 0 };
  expect(await read('retention', 'preview', '--draft', '1')).toEqual(counts);
  expect(await parley('retention', 'set', '--draft', '30')).toMatchObject({ exitCode: 2 });
  const days = { completedDays: 365, endedDays: null, draftDays: 30 };
  expect(await read('retention', 'set', '--completed', '365', '--draft', '30', '--yes')).toEqual(days);
  expect((await parley('retention', 'get')).stdout).toBe(
    'completed  365 days\nended      for ever\ndraft      30 days\n',
  );
  const ended = { ...days, completedDays: null };
  expect(await read('retention', 'set', '--completed', 'forever', '--yes')).toEqual(ended);
  for (const wrong of ['0', '3651', 'x'])
    expect(await parley('retention', 'set', '--draft', wrong, '--yes')).toMatchObject({ exitCode: 2 });
});
