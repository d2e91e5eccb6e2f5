import { randomUUID } from 'node:crypto';
import type { Delivery, Webhook, WebhookOptions } from '@parley/client';
import { createWorkspace, type TestWorkspace } from '@parley/testing/api';
import { eventually } from '@parley/testing/eventually';
import { startReceiver } from '@parley/testing/peers/receiver';
import { beforeAll, expect, inject, test } from 'vitest';
import { runCommand } from '../../packages/cli/tests/run-command.ts';
import { npsBot } from '../conversations/sample-bots.ts';

const { baseUrl } = inject('local');

let workspace: TestWorkspace;
let env: Record<string, string>;
beforeAll(async () => {
  workspace = await createWorkspace(baseUrl, inject('operator'));
  const { apiKey: PARLEY_API_KEY, apiSecret: PARLEY_API_SECRET } = workspace;
  env = { PARLEY_URL: baseUrl, PARLEY_API_KEY, PARLEY_API_SECRET, PARLEY_SECRET_TOKEN: 'of the shop' };
});

const parley = (...args: string[]) => runCommand(['webhook', ...args], { env });

async function read<Result>(...args: string[]): Promise<Result> {
  const { exitCode, stdout, stderr } = await parley(...args, '--json');
  expect([exitCode, stderr]).toEqual([0, '']);
  return JSON.parse(stdout) as Result;
}

test('a webhook is created, narrowed, tried out, watched and deleted', async () => {
  await using receiver = await startReceiver();
  const events = ['InteractionExpired', 'InteractionCompleted'].flatMap((name) => ['--event', name]);
  const filter = "interaction.type == 'none'";
  const chosen = [...events, '--filter', filter, '--envelope', '--active'];
  const { id, event, isActive } = await read<Webhook>('create', receiver.url, ...chosen);
  expect(await read<WebhookOptions>('options', id)).toMatchObject({ filter, envelope: true });
  expect(await parley('test', id)).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('filter of the webhook') as string,
  });
  expect([event, isActive]).toEqual(['InteractionCompleted,InteractionExpired', true]);
  expect((await parley('list')).stdout).toContain(`${id}  active`);
  expect((await parley('events')).stdout).toContain('CustomerAnonymised');

  const narrowed = ['--event', 'InteractionExpired', '--filter', "interaction.type == 'NPS'", '--envelope'];
  const changed = await read<WebhookOptions>('options', id, ...narrowed);
  expect(changed).toMatchObject({ events: ['InteractionExpired'], envelope: true });
  expect((await parley('options', id)).stdout).toContain("interaction.type == 'NPS'");
  expect(await read<WebhookOptions>('options', id, '--no-filter', '--no-envelope')).toMatchObject({
    events: ['InteractionExpired'],
    filter: null,
    envelope: false,
  });

  const { id: deliveryId } = await read<Delivery>('test', id, '--event', 'InteractionExpired');
  await eventually(() => expect(receiver.requests.length).toBe(1));
  expect(receiver.requests[0]?.headers['x-parley-event']).toBe('InteractionExpired');
  await eventually(async () => {
    expect(await read<Delivery[]>('deliveries', id)).toMatchObject([{ id: deliveryId, state: 'succeeded' }]);
  });
  expect((await parley('deliveries', id)).stdout).toMatch(/\.\d{6}Z {2}InteractionExpired {2}succeeded {2}1/);
  const stats = (await parley('stats', id)).stdout;
  expect(stats).toMatch(/pending\s+0/);
  expect(stats).toMatch(/lastSuccess\s+\S+\.\d{6}Z\n/);

  expect(await read<Webhook>('deactivate', id)).toMatchObject({ isActive: false });
  expect(await read<Webhook>('activate', id)).toMatchObject({ isActive: true });
  expect((await parley('delete', id)).exitCode).toBe(2);
  await read('delete', id, '--yes');
  expect((await parley('list')).stdout).toBe('There are no webhooks.\n');
});

test('the deliveries of an interaction to all webhooks are listed, with the error of each last attempt', async () => {
  await using receiver = await startReceiver(() => ({ status: 500 }));
  const hooks = [await read<Webhook>('create', receiver.url, '--event', 'InteractionCreated', '--active')];
  env = { ...env, PARLEY_SECRET_TOKEN: `of another shop ${randomUUID()}` };
  hooks.push(await read<Webhook>('create', receiver.url, '--event', 'InteractionCreated', '--active'));
  const botId = await workspace.publish(npsBot);
  const { id } = await workspace.client.interactions.create({ customerId: 'ada', botId });
  const list = async (...args: string[]) => runCommand(['interaction', 'deliveries', id, ...args], { env });
  await eventually(async () => {
    const deliveries = JSON.parse((await list('--json')).stdout) as Delivery[];
    expect(deliveries.map(({ lastError }) => lastError)).toEqual(['http_500', 'http_500']);
    const webhookIds = deliveries.map(({ webhookId }) => webhookId);
    expect(webhookIds.toSorted()).toEqual(hooks.map((hook) => hook.id).toSorted());
  });
  expect(
    (await list('--limit', '1')).stdout.match(/InteractionCreated {2}pending {2}\d+ +http_500/g),
  ).toHaveLength(1);
  for (const hook of hooks) await read('delete', hook.id, '--yes');
  expect((await list()).stdout).toBe('There are no deliveries.\n');
});

test.each([
  [['create', 'http://127.0.0.1:9/', '--event', 'InteractionDone'], 1, '/events/0'],
  [['options', '01939f6a-2f40-7c3a-9d55-0123456789ab', '--filter', '1 +'], 1, 'it ends too early'],
  [['options', '01939f6a-2f40-7c3a-9d55-0123456789ab'], 1, 'parley: '],
  [['deliveries', '01939f6a-2f40-7c3a-9d55-0123456789ab', '--limit', 'many'], 2, 'many is not a number'],
])('%j is refused with exit code %i and the reason', async (args, code, reason) => {
  const { exitCode, stdout, stderr } = await parley(...args);
  expect([exitCode, stdout]).toEqual([code, '']);
  expect(stderr).toContain(reason);
});

test('create needs the secret token in the environment, where no list of processes shows it', async () => {
  const without = { ...env, PARLEY_SECRET_TOKEN: '' };
  const { exitCode, stderr } = await runCommand(['webhook', 'create', 'http://127.0.0.1:9/'], {
    env: without,
  });
  expect([exitCode, stderr]).toEqual([
    2,
    'parley: set PARLEY_SECRET_TOKEN to the secret token of the deliveries\n',
  ]);
});
