import { AppError, notFound } from '@parley/runtime/errors';
import { type Kysely, sql } from 'kysely';
import { tableOf } from './sql/arrays.ts';
import { reads } from './sql/dialect.ts';
import { purgeDue } from './due-work.ts';
import { acrossWorkspaces } from './sql/across-workspaces.ts';

/** The idempotency records of a service. See `createIdempotencyTable`. */
export interface IdempotencyTable {
  /** The stored form of the key. Column and protocol keep the name that release 0.2.0 reads and writes. */
  scope: string;
  workspaceId: string;
  /** The id of the subject of the response, such as a customer. Anonymisation finds the record by it. */
  subject: string;
  /** The id of what was created. Deletion finds the record by it. Null if the subject was. */
  resourceId: string | null;
  /** Empty once the answer was forgotten. */
  fingerprint: Buffer;
  /** The encoded response. Null inside the transaction that creates it, and once it was forgotten. */
  response: Buffer | null;
  createdAt: Date;
}

export interface WithIdempotency {
  idempotencyRecord: IdempotencyTable;
}

const keptHours = 24;

/** Creates the table. For a service's first migration. */
export async function createIdempotencyTable<Tables>(db: Kysely<Tables>): Promise<void> {
  await sql`
    create table idempotency_record (
      scope text primary key,
      workspace_id uuid not null,
      subject text not null,
      resource_id text,
      fingerprint bytea not null,
      response bytea,
      created_at timestamptz not null default now()
    )`.execute(db);
  await sql`create index on idempotency_record (created_at)`.execute(db);
  await sql`create index on idempotency_record (workspace_id, subject)`.execute(db);
}

/**
 * SQL that sets the columns of a record whose resource was deleted. The key stays taken, so that a late retry creates
 * nothing. The fingerprint goes too: a short body can be guessed from it.
 */
export const forgottenAnswer = sql`response = null, fingerprint = ''`;

interface Idempotent<Tables, Message> {
  /** The stored form of the client's key, and the digest of the body. Null if the client sent no key. */
  key: { scope: string; fingerprint: Buffer } | null;
  workspaceId: string;
  subject: string;
  /** Returns the id of what was created. Not given: the subject was. */
  resourceOf?: (message: Message) => string;
  codec: { encode(message: Message): { finish(): Uint8Array }; decode(bytes: Uint8Array): Message };
  /** SQL only. Runs in a transaction if there is a key. */
  effect: (db: Kysely<Tables>) => Promise<Message>;
}

/**
 * Runs `effect` once per key: the record is written in its transaction, so both happen or neither. A later
 * call with the same key and body gets the stored answer; a concurrent one waits for it. With another body:
 * 422 `idempotency-key-reused`. NOT_FOUND if the resource was deleted. An effect that throws leaves no record. Records
 * count for 24 hours (draft-ietf-httpapi-idempotency-key-header).
 */
export async function idempotent<Tables extends WithIdempotency, Message>(
  db: Kysely<Tables>,
  { key, workspaceId, subject, resourceOf, codec, effect }: Idempotent<Tables, Message>,
): Promise<{ message: Message; replayed: boolean }> {
  if (!key) return { message: await effect(db), replayed: false };
  return db.transaction().execute(async (trx) => {
    const taken = await sql`
      insert into idempotency_record as record (scope, workspace_id, subject, fingerprint)
      values (${key.scope}, ${workspaceId}, ${subject}, ${key.fingerprint})
      on conflict (scope) do update
        set fingerprint = excluded.fingerprint, subject = excluded.subject, resource_id = null, response = null,
          created_at = now()
        where record.created_at < now() - make_interval(hours => ${keptHours})
          and record.workspace_id = excluded.workspace_id
      returning scope`.execute(trx);
    if (taken.rows.length === 0) {
      const message = await storedAnswer(trx, { key, workspaceId, codec });
      // The conflicting record is committed and locked, even though the update did not apply.
      if (message === undefined) throw new Error('the record of a key is of another workspace');
      return { message, replayed: true };
    }
    const message = await effect(trx);
    const response = Buffer.from(codec.encode(message).finish());
    await sql`
      update idempotency_record set response = ${response}, resource_id = ${resourceOf?.(message) ?? null}
      where scope = ${key.scope} and workspace_id = ${workspaceId}`.execute(trx);
    return { message, replayed: false };
  });
}

/**
 * Returns the answer that is stored under the key; undefined without a valid record. For work before `idempotent` that
 * a replay must not repeat. With another body: 422 `idempotency-key-reused`. NOT_FOUND if the resource was deleted.
 */
export async function storedAnswer<Tables, Message>(
  db: Kysely<Tables>,
  { key, workspaceId, codec }: Pick<Idempotent<Tables, Message>, 'key' | 'workspaceId' | 'codec'>,
): Promise<Message | undefined> {
  if (!key) return undefined;
  const { rows } = await sql<Pick<IdempotencyTable, 'fingerprint' | 'response'>>`
    select fingerprint, response from idempotency_record
    where scope = ${key.scope} and workspace_id = ${workspaceId}
      and created_at >= now() - make_interval(hours => ${keptHours})`.execute(reads(db));
  const record = rows[0];
  if (!record) return undefined;
  // Within the transaction that creates the record, nobody reads it.
  if (!record.response) throw notFound();
  if (!record.fingerprint.equals(key.fingerprint)) {
    throw new AppError(
      'unprocessable',
      'idempotency-key-reused',
      'This Idempotency-Key was used with another body',
    );
  }
  return codec.decode(record.response);
}

/** A part of an answer, with a subject of its own: anonymisation and deletion find it by that. */
export interface AnswerPart {
  /** From 0. */
  part: number;
  subject: string;
  /** The id of what was created. */
  resourceId: string;
  response: Buffer;
}

type ValidKey = Pick<Idempotent<never, never>, 'workspaceId'> & {
  key: NonNullable<Idempotent<never, never>['key']>;
};

/** Saves the parts of an answer under the key. In the transaction of its `effect`. */
export async function saveParts<Tables>(
  trx: Kysely<Tables>,
  { key, workspaceId }: ValidKey,
  parts: readonly AnswerPart[],
): Promise<void> {
  const { scope: storedKey, fingerprint } = key;
  const saved = tableOf('saved', parts, {
    scope: ['text', ({ part }) => keyOfPart(storedKey, part)],
    subject: ['text', ({ subject }) => subject],
    resourceId: ['text', ({ resourceId }) => resourceId],
    response: ['bytea', ({ response }) => response],
  });
  await sql`
    insert into idempotency_record as record (scope, workspace_id, subject, resource_id, fingerprint, response)
    select scope, ${workspaceId}::uuid, subject, resource_id, ${fingerprint}::bytea, response from ${saved}
    on conflict (scope) do update
      set fingerprint = excluded.fingerprint, subject = excluded.subject, resource_id = excluded.resource_id,
        response = excluded.response, created_at = now()
      where record.workspace_id = excluded.workspace_id`.execute(trx);
}

/** Returns the parts, by their numbers below `count`, of the answer under the key that were not forgotten. */
export async function storedParts<Tables>(
  db: Kysely<Tables>,
  { key, workspaceId }: ValidKey,
  count: number,
): Promise<Map<number, Buffer>> {
  const numbers = new Map(Array.from({ length: count }, (_, part) => [keyOfPart(key.scope, part), part]));
  const { rows } = await sql<Pick<IdempotencyTable, 'scope'> & { response: Buffer }>`
    select scope, response from idempotency_record
    where scope = any(${[...numbers.keys()]}::text[]) and workspace_id = ${workspaceId}
      and fingerprint = ${key.fingerprint}`.execute(reads(db));
  return new Map(rows.map(({ scope, response }) => [numbers.get(scope) ?? 0, response]));
}

function keyOfPart(storedKey: string, part: number): string {
  return `${storedKey} ${part}`;
}

/**
 * Deletes a batch of expired records. Returns true when there may be more. Rows are locked before they are
 * deleted, so concurrent replicas delete different ones, and a record whose key is used again is not deleted.
 */
export async function purgeIdempotencyRecords<Tables>(db: Kysely<Tables>): Promise<boolean> {
  const isDue = sql`created_at < now() - make_interval(hours => ${keptHours})`;
  const due = { table: 'idempotency_record', isDue, orderBy: sql`created_at`, limit: 1_000 };
  return purgeDue(db, acrossWorkspaces('a purge by age'), due);
}
