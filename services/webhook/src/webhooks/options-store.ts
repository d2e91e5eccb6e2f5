import { isDeepStrictEqual } from 'node:util';
import { changesBetween } from '@parley/audit/rows';
import type { RateLimit } from '@parley/contracts/webhook/v1/delivery';
import { reads } from '@parley/postgres/sql/dialect';
import { notFound } from '@parley/runtime/errors';
import { sql } from 'kysely';
import { auditWebhook, shownUrl } from '../auditing.ts';
import { releaseAll } from '../deliveries/ordering.ts';
import { changeWanted, currentWanted, eventText, type Wanted } from '../subscriptions/subscription-store.ts';
import type { Db, Ordering, Trx } from '../schema.ts';
import { signingSecretsMax } from '../sending/rules/signing.ts';
import {
  changeLane,
  changeWebhook,
  deleteSecrets,
  type SealedSecret,
  updateWebhook,
  type VersionedKey,
} from './store.ts';

export interface OptionsChange extends Wanted {
  url: string;
  /** Encrypted. */
  secretToken: string;
  /** Encrypted. */
  headers: string | null;
  ordering: Ordering;
  isAsymmetric: boolean;
  rateLimit: RateLimit | null;
}

export interface Options extends OptionsChange {
  version: number;
  /** Encrypted. Only valid keys, newest first. */
  privateKeys: string[];
}

/** Throws NOT_FOUND if the workspace has no such webhook, or has deleted it. */
export async function findOptions(db: Db, workspaceId: string, id: string): Promise<Options> {
  const { rows } = await sql<Omit<Options, keyof Wanted>>`
    select version, url, secret_token, headers, ordering, is_asymmetric,
      case when rate_burst is not null then
        json_build_object('perSecond', rate_per_second, 'burst', rate_burst) end as rate_limit,
      array(
        select secret from signing_secret
        where workspace_id = ${workspaceId} and webhook_id = ${id} and kind = 'ed25519'
          and (expires_at <= now()) is not true
        order by created_at desc limit ${sql.lit(signingSecretsMax)}) as private_keys
    from webhook join lane on lane.webhook_id = webhook.id and lane.workspace_id = webhook.workspace_id
    where webhook.workspace_id = ${workspaceId} and webhook.id = ${id} and deleted_at is null`.execute(
    reads(db),
  );
  const [options] = rows;
  if (!options) throw notFound();
  return { ...options, ...(await currentWanted(db, { workspaceId, webhookId: id })) };
}

/**
 * Changes options to what `decide` returns. A new ordering applies to later events; its removal applies at once. A new
 * rate starts with a full bucket, or with less soon after a crash of its owner. `privateKey` is for a webhook without
 * one. Throws as `changeWebhook` does.
 */
export async function changeOptions(
  db: Db,
  key: VersionedKey,
  privateKey: SealedSecret,
  decide: (before: Options, trx: Trx) => Promise<Partial<OptionsChange>>,
): Promise<Options> {
  const { workspaceId, id } = key;
  const lane = { workspaceId, webhookId: id };
  const { before, after } = await changeWebhook(db, key, async (trx) => {
    const before = await findOptions(trx, workspaceId, id);
    const next = { ...before, ...(await decide(before, trx)) };
    if (isDeepStrictEqual(next, before)) return { before, after: before };
    const { url, secretToken, headers, ordering, isAsymmetric, rateLimit } = next;
    const { events, filter, isEnveloped } = next;
    const event = eventText(events);
    await updateWebhook(trx, key, { url, secretToken, headers, ordering, isAsymmetric, event });
    const wanted = { events, filter, isEnveloped };
    if (!isDeepStrictEqual(wanted, wantedOf(before))) await changeWanted(trx, lane, wanted);
    const isSameRate = isDeepStrictEqual(rateLimit, before.rateLimit);
    const rate = { ratePerSecond: rateLimit?.perSecond ?? null, rateBurst: rateLimit?.burst ?? null };
    await changeLane(trx, lane, isSameRate ? {} : { ...rate, bucketFullAt: null });
    if (!isAsymmetric) {
      await deleteSecrets(trx, lane, sql`kind = 'ed25519'`);
    } else if (!before.isAsymmetric) {
      await trx
        .insertInto('signingSecret')
        .values({ ...privateKey, ...lane, kind: 'ed25519' })
        .execute();
    }
    const changes = changesBetween(shownOptions(before), shownOptions(next), ['secretToken', 'headers']);
    // A query can have a secret, and can decide about the receiver.
    if (before.url !== next.url) changes['url'] = [shownUrl(before.url), shownUrl(next.url)];
    await auditWebhook(trx, key, 'webhook.updated', { changes });
    return { before, after: await findOptions(trx, workspaceId, id) };
  });
  if (before.ordering !== 'none' && after.ordering === 'none') await releaseAll(db, lane);
  return after;
}

function shownOptions({ url, isAsymmetric, isEnveloped, ...options }: Options) {
  const { secretToken, headers, ordering, rateLimit, events, filter } = options;
  const renamed = { url: shownUrl(url), asymmetricSignature: isAsymmetric, envelope: isEnveloped };
  return { ...renamed, secretToken, headers, ordering, rateLimit, events, filter };
}

function wantedOf({ events, filter, isEnveloped }: Wanted): Wanted {
  return { events, filter, isEnveloped };
}
