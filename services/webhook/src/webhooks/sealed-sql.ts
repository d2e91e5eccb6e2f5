import type { SealedColumn } from '@parley/postgres/reseal';
import { sql } from 'kysely';

/** What is sealed, as `sealSecret` and `fingerprintKey` do. */
export const sealedColumns: readonly SealedColumn[] = [
  { table: 'webhook', column: 'secret_token', bound: sql`'secret-token:' || id` },
  { table: 'webhook', column: 'headers', bound: sql`'headers:' || id` },
  {
    table: 'signing_secret',
    column: 'secret',
    bound: sql`case kind when 'ed25519' then 'private-key:' else 'signing-secret:' end || webhook_id`,
  },
  { table: 'fingerprint_key', column: 'sealed', bound: sql`'fingerprint-key'` },
];
