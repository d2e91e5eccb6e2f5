import { randomBytes, randomUUID } from 'node:crypto';
import { keysCommand } from '@parley/postgres/keys-command';
import { keepReencrypted, readKeyUse } from '@parley/postgres/re-encrypt';
import { type Keyring, keyring } from '@parley/runtime/config/keyring';
import { eventually } from '@parley/testing/eventually';
import { quietLogger as logger } from '@parley/testing/quiet';
import { openSqlConnection } from '@parley/testing/database/sql';
import { expect, test, vi } from 'vitest';
import type { Db } from '../src/schema.ts';
import { openHeaders, sealHeaders } from '../src/sending/rules/header-fields.ts';
import { openSecret, sealNew, sealSecret } from '../src/sending/rules/secrets.ts';
import { newPrivateKey } from '../src/sending/rules/signing.ts';
import { findOptions } from '../src/webhooks/options-store.ts';
import { insertWebhook, sealedColumns } from '../src/webhooks/store.ts';
import { createStore, type Hook, setOptions } from './lanes/lanes.ts';

const first = `k1:${randomBytes(32).toString('base64')}`;
const second = `k2:${randomBytes(32).toString('base64')}`;

test('all secrets are re-encrypted with the first key, and the former key is no longer needed', async () => {
  await using store = await createStore();
  const { db } = store;
  await using session = await openSqlConnection(store.adminUrl);
  await session.query('set search_path = webhook');
  const before = keyring.parse(first);
  const hooks: Hook[] = [];
  for (let made = 0; made < 150; made += 1) {
    const hook = { id: randomUUID(), workspaceId: randomUUID() };
    await insertWebhook(db, {
      ...hook,
      url: 'http://127.0.0.1:9/',
      isActive: true,
      events: ['InteractionCompleted'],
      secretToken: sealSecret(before, 'secret-token', hook.id, `token ${made}`),
      signingSecret: {
        id: randomUUID(),
        secret: sealSecret(before, 'signing-secret', hook.id, `secret ${made}`),
      },
    });
    hooks.push(hook);
  }
  const [hook] = hooks;
  if (!hook) throw new Error('no webhook');
  const privateKey = sealNew(before, 'private-key', hook.id, newPrivateKey());
  const headers = sealHeaders(before, hook.id, { 'x-a': 'b' });
  await setOptions(db, hook, { headers, isAsymmetric: true }, privateKey);

  const place = `select secret_token as sealed from webhook union all select headers from webhook where headers is not null
    union all select secret from signing_secret`;
  const kids = () =>
    session.query(`select distinct split_part(sealed, '.', 1) as kid from (${place}) as all_of_it`);
  expect(await kids()).toEqual([{ kid: 'k1' }]);
  {
    await using _sealing = keepReencrypted(db, keyring.parse(`${second},${first}`), sealedColumns, logger);
    await eventually(async () => expect(await kids()).toEqual([{ kid: 'k2' }]));
  }

  const after = keyring.parse(second);
  const options = await findOptions(db, hook.workspaceId, hook.id);
  expect(openHeaders(after, hook.id, options.headers)).toEqual({ 'x-a': 'b' });
  const rows = await session.query<{ id: string; token: string; secret: string; kind: 'hmac' | 'ed25519' }>(
    `select webhook.id, secret_token as token, secret, kind
     from webhook join signing_secret on signing_secret.webhook_id = webhook.id`,
  );
  const opened = rows.map(({ id, token, secret, kind }) => {
    const signs = openSecret(after, kind === 'hmac' ? 'signing-secret' : 'private-key', id, secret);
    return `${openSecret(after, 'secret-token', id, token)}, ${kind === 'hmac' ? signs : signs.slice(0, 5)}`;
  });
  const expected = hooks.map((_, made) => `token ${made}, secret ${made}`);
  expect(opened.toSorted()).toEqual([...expected, 'token 0, whsk_'].toSorted());
});

/** Adds a webhook whose secret token is bound to an id, by default its own. */
async function addSealed(db: Db, keys: Keyring, id: string, boundTo = id): Promise<void> {
  await insertWebhook(db, {
    id,
    workspaceId: randomUUID(),
    url: 'http://127.0.0.1:9/',
    isActive: true,
    events: ['InteractionCompleted'],
    secretToken: sealSecret(keys, 'secret-token', boundTo, 'a token'),
    signingSecret: { id: randomUUID(), secret: sealSecret(keys, 'signing-secret', id, 'a secret') },
  });
}

test('values that cannot be decrypted are skipped and named, and the rest is re-encrypted', async () => {
  await using store = await createStore();
  const { db } = store;
  const before = keyring.parse(first);
  const ids = Array.from({ length: 250 }, () => randomUUID());
  // More than a page of them comes first.
  const broken = new Set(ids.slice(0, 120));
  for (const id of ids) await addSealed(db, before, id, broken.has(id) ? randomUUID() : id);
  const both = keyring.parse(`${second},${first}`);
  const nameOf = (id: string): string => `webhook.secret_token secret-token:${id}`;
  const error = vi.spyOn(logger, 'error');
  {
    await using _sealing = keepReencrypted(db, both, sealedColumns, logger);
    await eventually(() => expect(error).toHaveBeenCalledOnce());
  }
  const [fields] = error.mock.calls[0] ?? [];
  expect(fields).toEqual({ number: 120, rows: ids.slice(0, 20).map(nameOf) });
  error.mockRestore();

  expect(await readKeyUse(db, both, sealedColumns)).toEqual([
    { kid: 'k2', role: 'current', values: 380, unreadable: [] },
    { kid: 'k1', role: 'older', values: 120, unreadable: ids.slice(0, 120).map(nameOf) },
  ]);
  const withoutFirst = await readKeyUse(db, keyring.parse(second), sealedColumns);
  expect(withoutFirst).toMatchObject([
    { kid: 'k2', values: 380, unreadable: [] },
    { kid: 'k1', role: 'missing', values: 120 },
  ]);
});

test('the command says how many values need each key, and with --json the same for programs', async () => {
  await using store = await createStore();
  const lines: string[] = [];
  vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line));
  vi.spyOn(console, 'error').mockImplementation((line: string) => void lines.push(line));
  const env = { DATABASE_URL: store.testUrl, ENCRYPTION_KEYS: `${second},${first}` };
  const run = (args: string[], given: NodeJS.ProcessEnv = env) =>
    keysCommand('webhook', sealedColumns, args, given);
  await addSealed(store.db, keyring.parse(first), randomUUID());
  expect([await run([]), await run(['--json']), await run([], {}), await run(['--wet'])]).toEqual([
    0, 0, 2, 2,
  ]);
  vi.restoreAllMocks();
  expect(lines[0]).toMatch(/^k2 \(current\): 0 values\nk1 \(older\): 2 values$/);
  expect(JSON.parse(lines[1] ?? '')).toMatchObject([
    { kid: 'k2', values: 0 },
    { kid: 'k1', values: 2 },
  ]);
  expect(lines[2]).toContain('DATABASE_URL');
  expect(lines[3]).toContain('--wet');
});

test('the command names the first 20 values that cannot be decrypted, and with --json all', async () => {
  await using store = await createStore();
  for (let made = 0; made < 22; made += 1)
    await addSealed(store.db, keyring.parse(first), randomUUID(), randomUUID());
  const lines: string[] = [];
  vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line));
  const env = { DATABASE_URL: store.testUrl, ENCRYPTION_KEYS: first };
  await keysCommand('webhook', sealedColumns, [], env);
  await keysCommand('webhook', sealedColumns, ['--json'], env);
  vi.restoreAllMocks();
  expect(lines[0]).toMatch(/^k1 \(current\): 44 values, 22 cannot be decrypted: (\S+ \S+, ){20}and 2 more$/);
  const [use] = JSON.parse(lines[1] ?? '') as { unreadable: string[] }[];
  expect(use?.unreadable).toHaveLength(22);
});

test('no value is missed that is rewritten while values are counted', async () => {
  await using store = await createStore();
  const { db } = store;
  const ring = keyring.parse(first);
  await using session = await openSqlConnection(store.adminUrl);
  await session.query('set search_path = webhook');
  const ids = Array.from({ length: 300 }, () => randomUUID());
  for (const id of ids) await addSealed(db, ring, id);
  const rewriteHalf = () =>
    session.query('update webhook set secret_token = secret_token where id = any($1)', [ids.slice(0, 150)]);
  // Moves this half to the end of the table, and makes room at its beginning.
  await rewriteHalf();
  await session.query('vacuum webhook');
  let reads = 0;
  const rewriting = db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      reads += 1;
      // The half is on pages that are not read yet. It moves to pages that are.
      if (reads === 1) await rewriteHalf();
      return result;
    },
  });
  // A secret token and a signing secret each.
  expect(await readKeyUse(rewriting, ring, sealedColumns)).toMatchObject([{ kid: 'k1', values: 600 }]);
});
