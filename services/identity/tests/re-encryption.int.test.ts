import { randomBytes, randomUUID } from 'node:crypto';
import { openDatabase } from '@parley/postgres/connecting/open';
import { keepReencrypted } from '@parley/postgres/re-encrypt';
import { keyring } from '@parley/runtime/config/keyring';
import { createDatabase } from '@parley/testing/database/database';
import { eventually } from '@parley/testing/eventually';
import { quietLogger as logger } from '@parley/testing/quiet';
import { expect, test } from 'vitest';
import { migrations } from '../src/migrations/index.ts';
import type { Tables } from '../src/schema.ts';
import { sealedColumns } from '../src/workspaces/sdk-secret-store.ts';
import { sdkSecrets } from '../src/workspaces/sdk-secrets.ts';

const first = `k1:${randomBytes(32).toString('base64')}`;
const second = `k2:${randomBytes(32).toString('base64')}`;

test('SDK secrets under an older key are re-encrypted and no longer need it', async () => {
  await using database = await createDatabase('identity', migrations);
  await using opened = openDatabase<Tables>({ url: database.url, logger });
  const { db } = opened;
  const workspaceId = randomUUID();
  await db.insertInto('workspace').values({ id: workspaceId, name: 'Test', allowedDomains: [] }).execute();
  const made = await sdkSecrets(db, keyring.parse(first)).newest(workspaceId, async () => {});
  expect(made).toBeDefined();
  await using _reencryption = keepReencrypted(db, keyring.parse(`${second},${first}`), sealedColumns, logger);
  await eventually(async () => {
    expect(await sdkSecrets(db, keyring.parse(second)).newest(workspaceId, async () => {})).toEqual(made);
  });
});
