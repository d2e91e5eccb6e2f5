import type { RateLimit } from '@parley/contracts/webhook/v1/delivery';
import { type Kysely, sql, type Transaction } from 'kysely';
import { releaseAll } from '../deliveries/ordering-store.ts';
import type { Tables, WebhookTable } from '../schema.ts';
import { signingSecretsMax } from '../sending/signing.ts';
import { change, raiseRevision, type Read, type SealedSecret } from './store.ts';

type Db = Kysely<Tables>;

/** The options of a webhook, as they are kept. */
export interface Options {
  version: number;
  /** Sealed. */
  headers: string | null;
  ordering: WebhookTable['ordering']['__select__'];
  isAsymmetric: boolean;
  rateLimit: RateLimit | null;
  /** Sealed; the live ones, newest first. */
  privateKeys: string[];
}

/** What is undefined stays as it is. `privateKey` is for a webhook that has none yet. */
export interface OptionsChange
  extends Partial<Pick<Options, 'headers' | 'ordering' | 'isAsymmetric' | 'rateLimit'>> {
  privateKey: SealedSecret;
}

/** Undefined for a deleted one. */
export async function findOptions(db: Db, workspaceId: string, id: string): Promise<Options | undefined> {
  const found = await db
    .selectFrom('webhook')
    .innerJoin('lane', (join) =>
      join.onRef('lane.webhookId', '=', 'webhook.id').onRef('lane.workspaceId', '=', 'webhook.workspaceId'),
    )
    .where('webhook.workspaceId', '=', workspaceId)
    .where('webhook.id', '=', id)
    .where('webhook.deletedAt', 'is', null)
    .select(['version', 'headers', 'ordering', 'isAsymmetric', 'ratePerSecond', 'rateBurst'])
    .executeTakeFirst();
  if (!found) return undefined;
  const { ratePerSecond: perSecond, rateBurst: burst, ...options } = found;
  const keys = await db
    .selectFrom('signingSecret')
    .where('workspaceId', '=', workspaceId)
    .where('webhookId', '=', id)
    .where('kind', '=', 'ed25519')
    .where((is) => is.or([is('expiresAt', 'is', null), is('expiresAt', '>', sql<Date>`now()`)]))
    .orderBy('createdAt', 'desc')
    .limit(signingSecretsMax)
    .select('secret')
    .execute();
  const rateLimit = perSecond === null || burst === null ? null : { perSecond, burst };
  return { ...options, rateLimit, privateKeys: keys.map((key) => key.secret) };
}

/**
 * Changes options; undefined when the webhook has changed since it was read. An ordering is for events from now on, and
 * what is open when it is taken away waits for others no more. Another rate holds at once, and begins with all its tokens.
 */
export async function changeOptions(
  db: Db,
  read: Read,
  { headers, ordering, isAsymmetric, rateLimit, privateKey }: OptionsChange,
): Promise<Options | undefined> {
  const { workspaceId, id } = read;
  const options = await db.transaction().execute(async (trx) => {
    const changed = await change(trx, read)
      .set({
        ...(headers !== undefined && { headers }),
        ...(ordering !== undefined && { ordering }),
        ...(isAsymmetric !== undefined && { isAsymmetric }),
      })
      .returning(sql<boolean>`old.is_asymmetric`.as('wasAsymmetric'))
      .executeTakeFirst();
    if (!changed) return undefined;
    if (rateLimit !== undefined) await setRate(trx, read, rateLimit);
    if (isAsymmetric === true && !changed.wasAsymmetric) {
      await trx
        .insertInto('signingSecret')
        .values({ ...privateKey, kind: 'ed25519', webhookId: id, workspaceId, expiresAt: null })
        .execute();
    }
    if (isAsymmetric === false) {
      await trx
        .deleteFrom('signingSecret')
        .where('workspaceId', '=', workspaceId)
        .where('webhookId', '=', id)
        .where('kind', '=', 'ed25519')
        .execute();
    }
    await raiseRevision(trx, { workspaceId, webhookId: id });
    return findOptions(trx, workspaceId, id);
  });
  if (options && ordering === 'none') await releaseAll(db, { workspaceId, webhookId: id });
  return options;
}

async function setRate(
  trx: Transaction<Tables>,
  { workspaceId, id }: Read,
  rate: RateLimit | null,
): Promise<void> {
  await trx
    .updateTable('lane')
    .set({
      ratePerSecond: rate?.perSecond ?? null,
      rateBurst: rate?.burst ?? null,
      bucketFullAt: null,
    })
    .where('workspaceId', '=', workspaceId)
    .where('webhookId', '=', id)
    .execute();
}
