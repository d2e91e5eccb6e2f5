import { type Keyring, open, seal } from '@parley/runtime/keyring';
import type { Kysely } from 'kysely';
import { newKid, newSdkSecret } from './credential.ts';
import type { SdkKey } from './customer-token.ts';
import type { Tables } from './schema.ts';
import { insertFirstSecret, insertNextSecret, listLiveSecrets } from './sdk-secret-store.ts';

/** The SDK secrets of workspaces, sealed at rest for the row that they are in. */
export interface SdkSecrets {
  /** Makes a new secret; the one before stays live, older ones die. Undefined when there is no such workspace. */
  rotate(workspaceId: string): Promise<SdkKey | undefined>;
  /** The live secret of that name in the workspace. */
  find(workspaceId: string, kid: string): Promise<string | undefined>;
  /** The newest secret, made when there was none yet. Undefined when there is no such workspace. */
  newest(workspaceId: string): Promise<SdkKey | undefined>;
}

/** Over a database; `keys` seal and open. */
export function sdkSecrets(db: Kysely<Tables>, keys: Keyring): SdkSecrets {
  const make = (workspaceId: string) => {
    const key: SdkKey = { kid: newKid(), secret: newSdkSecret() };
    return { key, sealed: { kid: key.kid, sealed: seal(keys, key.secret, rowName(workspaceId, key.kid)) } };
  };
  const newestOf = async (workspaceId: string): Promise<SdkKey | undefined> => {
    const [row] = await listLiveSecrets(db, workspaceId);
    return row && { kid: row.kid, secret: open(keys, row.sealed, rowName(workspaceId, row.kid)) };
  };
  return {
    rotate: async (workspaceId) => {
      const { key, sealed } = make(workspaceId);
      return (await insertNextSecret(db, workspaceId, sealed)) ? key : undefined;
    },
    find: async (workspaceId, kid) => {
      const row = (await listLiveSecrets(db, workspaceId)).find((live) => live.kid === kid);
      return row && open(keys, row.sealed, rowName(workspaceId, row.kid));
    },
    newest: async (workspaceId) => {
      const known = await newestOf(workspaceId);
      if (known) return known;
      await insertFirstSecret(db, workspaceId, make(workspaceId).sealed);
      return newestOf(workspaceId);
    },
  };
}

// What a sealed secret is bound to. A UUID has one spelling here, whatever the caller's.
function rowName(workspaceId: string, kid: string): string {
  return `sdk-secret:${workspaceId.toLowerCase()}:${kid}`;
}
