import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createWorkspace } from '@parley/testing/api';
import { eventually } from '@parley/testing/eventually';
import { temporaryFolder } from '@parley/testing/setup/folders';
import { freePort } from '@parley/testing/servers/ports';
import { expect, inject, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

/** Runs the receiver that docs/webhooks.md begins with. */
async function startDocumentedReceiver(port: number, signingSecret: string): Promise<AsyncDisposable> {
  const page = await readFile(join(root, 'docs/webhooks.md'), 'utf8');
  const [, source = ''] = /^```js\n(.*?)^```$/ms.exec(page) ?? [];
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await temporaryFolder('receiver'));
  await symlink(join(root, 'node_modules'), join(folder.path, 'node_modules'));
  await writeFile(join(folder.path, 'receiver.mjs'), source);
  const receiver = spawn(process.execPath, ['--conditions=@parley/source', 'receiver.mjs'], {
    cwd: folder.path,
    env: { PORT: String(port), SIGNING_SECRET: signingSecret },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  stack.defer(async () => {
    if (receiver.kill()) await once(receiver, 'exit');
  });
  return stack.move();
}

test('the receiver in docs/webhooks.md accepts a delivery and rejects a forged request', async () => {
  const { client } = await createWorkspace(inject('local').baseUrl, inject('operator'));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/parley`;
  const hook = await client.webhooks.create({ url, secretToken: 'a secret', isActive: true });
  const { signingSecret } = await client.webhooks.rotateSigningSecret(hook.id);
  await using _receiver = await startDocumentedReceiver(port, signingSecret);
  const forged = await eventually(() =>
    fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }),
  );
  expect(forged.status).toBe(401);
  const { id } = await client.webhooks.sendTest(hook.id);
  await eventually(async () => {
    expect(await client.webhooks.deliveries.get(hook.id, id)).toMatchObject({
      state: 'succeeded',
      attempts: 1,
    });
  });
});
