import { randomBytes, randomUUID } from 'node:crypto';
import { keepReencrypted } from '@parley/postgres/re-encrypt';
import { keyring } from '@parley/runtime/keyring';
import { eventually } from '@parley/testing/eventually';
import { quietLogger as logger } from '@parley/testing/quiet';
import { openSqlSession } from '@parley/testing/sql';
import { expect, test } from 'vitest';
import { openHeaders, sealHeaders } from '../src/sending/rules/header-fields.ts';
import { openSecret, sealNew, sealSecret } from '../src/sending/rules/secrets.ts';
import { newPrivateKey } from '../src/sending/rules/signing.ts';
import { findOptions } from '../src/webhooks/options-store.ts';
import { insertWebhook, sealedColumns } from '../src/webhooks/store.ts';
import { createStore, type Hook, setOptions } from './lanes.ts';

const first = `k1:${randomBytes(32).toString('base64')}`;
const second = `k2:${randomBytes(32).toString('base64')}`;

test('all secrets are re-encrypted with the first key, and the former key is no longer needed', async () => {
  await using store = await createStore();
  const { db } = store;
  await using session = await openSqlSession(store.adminUrl);
  await session.query('set search_path = webhook');
  const before = keyring.parse(first);
  const hooks: Hook[] = [];
  for (let made = 0; made < 150; made += 1) {
    const hook = { id: randomUUID(), workspaceId: randomUUID() };
    await insertWebhook(db, {
      ...hook,
      url: 'http://127.0.0.1:9/',
      isActive: true,
      event: 'InteractionCompleted',
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
