import { audit, changesBetween } from '@parley/audit/rows';
import type {
  ContactLimit,
  ContactPolicy,
  UpdateContactPolicyRequest,
} from '@parley/contracts/interaction/v1/contact';
import { requireUnchanged } from '@parley/runtime/errors';
import type { Kysely } from 'kysely';
import type { Tables } from '../schema.ts';

type Db = Kysely<Tables>;

const columns = ['anyBot', 'sameBot', 'version'] as const;

/** Without settings, there is no limit. */
export async function loadPolicy(db: Db, workspaceId: string): Promise<ContactPolicy> {
  const row = await db
    .selectFrom('contactPolicy')
    .select(columns)
    .where('workspaceId', '=', workspaceId)
    .executeTakeFirst();
  return row ?? { anyBot: null, sameBot: null, version: 0 };
}

/** ABORTED when the version is not `ifVersion`. */
export async function savePolicy(
  db: Db,
  { workspaceId, anyBot, sameBot, ifVersion = null }: UpdateContactPolicyRequest,
): Promise<ContactPolicy> {
  return db.transaction().execute(async (trx) => {
    await trx
      .insertInto('contactPolicy')
      .values({ workspaceId, anyBot: null, sameBot: null })
      .onConflict((conflict) => conflict.column('workspaceId').doNothing())
      .execute();
    const before = await trx
      .selectFrom('contactPolicy')
      .select(columns)
      .where('workspaceId', '=', workspaceId)
      .forUpdate()
      .executeTakeFirstOrThrow();
    requireUnchanged(before.version, ifVersion);
    const wanted = { anyBot: changed(before.anyBot, anyBot), sameBot: changed(before.sameBot, sameBot) };
    const changes = changesBetween({ anyBot: before.anyBot, sameBot: before.sameBot }, wanted);
    if (Object.keys(changes).length === 0) return before;
    const row = await trx
      .updateTable('contactPolicy')
      .set({ anyBot: textOf(wanted.anyBot), sameBot: textOf(wanted.sameBot), version: before.version + 1 })
      .where('workspaceId', '=', workspaceId)
      .returning(columns)
      .executeTakeFirstOrThrow();
    const targets = [{ type: 'workspace', id: workspaceId }];
    await audit(trx, { workspaceId, action: 'contactPolicy.updated', targets, changes });
    return row;
  });
}

/** A count of 0 stands for no limit. */
function changed(before: ContactLimit | null, given: ContactLimit | null): ContactLimit | null {
  if (!given) return before;
  return given.count === 0 ? null : { count: given.count, days: given.days };
}

function textOf(limit: ContactLimit | null): string | null {
  return limit && JSON.stringify(limit);
}
