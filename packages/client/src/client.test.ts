import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { createClient } from './client.ts';
import { createPublicClient } from './public.ts';

test('a client, its lists and its errors print no secret', async () => {
  const apiSecret = 'of-nobody-else';
  const fetch = () => Promise.reject(new Error('down'));
  const connection = { baseUrl: 'http://localhost', fetch, retries: 0 };
  const client = createClient({ ...connection, apiKey: 'key', apiSecret });
  const workspace = client.workspace('w');
  const list = workspace.customers.list();
  const error: unknown = await list.catch((cause: unknown) => cause);
  const session = createPublicClient(connection).session({ workspaceId: 'w', sessionToken: apiSecret });
  for (const value of [client, workspace, list, workspace.interactions.export(), error, session]) {
    const printed = inspect(value, { depth: Infinity, showHidden: true }) + JSON.stringify(value);
    expect(printed).not.toContain(apiSecret);
    expect(printed).not.toContain(btoa(`key:${apiSecret}`));
  }
});
