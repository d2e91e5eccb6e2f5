import type { AuditTables } from '@parley/audit/table';
import type { ApiKey, Branding, Workspace } from '@parley/contracts/identity/v1/identity';
import type { ColumnType, Generated } from 'kysely';
import type { SecretDigest } from './rules/credential.ts';

/** A column that a new row leaves null. */
type NullAtFirst<Value> = ColumnType<Value | null, undefined, Value | null>;

/** The branding of a workspace; null where it is not set. */
interface BrandingColumns {
  displayName: NullAtFirst<string>;
  logo: NullAtFirst<Buffer>;
  logoName: NullAtFirst<string>;
  accentColor: NullAtFirst<string>;
  endText: NullAtFirst<string>;
  privacyText: NullAtFirst<string>;
  /** JSON. */
  endLink: ColumnType<Branding['endLink'], undefined, string | null>;
  /** Rises with every change. */
  brandingVersion: Generated<number>;
}

/** Key: id, a UUIDv7, so the order of ids is that of creation. */
export interface WorkspaceTable extends Workspace, BrandingColumns {
  /** The generation of the newest SDK secret; 0 when there never was one. */
  sdkGeneration: Generated<number>;
  createdAt: Generated<Date>;
}

/** Key: apiKey. Every change of a row but one of `lastUsedAt` raises `version`. */
export interface ApiKeyTable
  extends Pick<ApiKey, 'apiKey' | 'homeWorkspaceId' | 'workspaceIds'>,
    SecretDigest {
  /** `storedPepperId` of the pepper. */
  pepperId: string;
  /** Null: all, also those of future releases. */
  scopes: string[] | null;
  name: Generated<string>;
  createdBy: Generated<string>;
  version: Generated<number>;
  createdAt: Generated<Date>;
  rotatedAt: NullAtFirst<Date>;
  revokedAt: NullAtFirst<Date>;
  expiresAt: Date | null;
  lastUsedAt: NullAtFirst<Date>;
}

/** Key: workspaceId, generation. The two newest generations of a workspace are live. */
export interface SdkSecretTable {
  workspaceId: string;
  generation: number;
  kid: string;
  /** The secret, encrypted for this workspace and kid. */
  sealed: string;
  createdAt: Generated<Date>;
}

/** Key: apiKey, holder. */
export interface CredentialLeaseTable {
  apiKey: string;
  /** The gateway that may cache the key, a UUID. */
  holder: string;
  expiresAt: Date;
}

/** The schema `identity`. */
export interface Tables extends AuditTables {
  workspace: WorkspaceTable;
  apiKey: ApiKeyTable;
  credentialLease: CredentialLeaseTable;
  sdkSecret: SdkSecretTable;
}
