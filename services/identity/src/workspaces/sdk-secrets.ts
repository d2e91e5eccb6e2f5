import { type Keyring, open, seal } from '@parley/runtime/config/keyring';
import type { Kysely } from 'kysely';
import { auditWorkspace } from '../auditing.ts';
import { newKid, newSdkSecret } from '../rules/credential.ts';
import type { SdkKey } from '../rules/customer-token.ts';
import type { Tables } from '../schema.ts';
import { insertFirstSecret, insertNextSecret, listLiveSecrets } from './sdk-secret-store.ts';

/** Returns the SDK secrets of workspaces, encrypted at rest under `keys` and bound to their row. */
export function sdkSecrets(db: Kysely<Tables>, keys: Keyring) {
  const make = (workspaceId: string) => {
    const key: SdkKey = { kid: newKid(), secret: newSdkSecret() };
    return { key, sealed: { kid: key.kid, sealed: seal(keys, key.secret, rowName(workspaceId, key.kid)) } };
  };
  const newestOf = async (from: Kysely<Tables>, workspaceId: string): Promise<SdkKey | undefined> => {
    const [row] = await listLiveSecrets(from, workspaceId);
    return row && { kid: row.kid, secret: open(keys, row.sealed, rowName(workspaceId, row.kid)) };
  };
  return {
    /** Creates a secret. The previous one stays valid, older ones do not. Undefined when there is no such workspace. */
    rotate: async (workspaceId: string): Promise<SdkKey | undefined> => {
      const { key, sealed } = make(workspaceId);
      const isAdded = await db.transaction().execute(async (trx) => {
        const isNext = await insertNextSecret(trx, workspaceId, sealed);
        if (isNext) await auditWorkspace(trx, workspaceId, 'sdkSecret.rotated');
        return isNext;
      });
      return isAdded ? key : undefined;
    },
    /** Returns the live secret with the id `kid`. */
    find: async (workspaceId: string, kid: string): Promise<string | undefined> => {
      const row = (await listLiveSecrets(db, workspaceId)).find((live) => live.kid === kid);
      return row && open(keys, row.sealed, rowName(workspaceId, row.kid));
    },
    /**
     * Returns the newest secret, after `record` has recorded its use. Creates the first one in the same transaction.
     * Undefined when there is no such workspace.
     */
    newest: async (
      workspaceId: string,
      record: (db: Kysely<Tables>) => Promise<void>,
    ): Promise<SdkKey | undefined> => {
      const use = async (on: Kysely<Tables>): Promise<SdkKey | undefined> => {
        const newest = await newestOf(on, workspaceId);
        if (newest) await record(on);
        return newest;
      };
      const known = await use(db);
      if (known) return known;
      return db.transaction().execute(async (trx) => {
        await insertFirstSecret(trx, workspaceId, make(workspaceId).sealed);
        return use(trx);
      });
    },
  };
}

// Lower case, because callers may spell a UUID in upper case.
function rowName(workspaceId: string, kid: string): string {
  return `sdk-secret:${workspaceId.toLowerCase()}:${kid}`;
}
