import type { AuditTables } from '@parley/audit/table';
import type { ApiKey, Branding, PortalLink, Workspace } from '@parley/contracts/identity/v1/identity';
import type { Role } from '@parley/contracts/roles';
import type { ColumnType, Generated } from 'kysely';
import type { SecretDigest } from './rules/credential.ts';

/** A column that a new row leaves null. */
type NullAtFirst<Value> = ColumnType<Value | null, undefined, Value | null>;

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

/** Key: id, a UUIDv7, so ids are in the order of creation. */
export interface WorkspaceTable extends Workspace, BrandingColumns {
  /** The generation of the newest SDK secret; 0 when there never was one. */
  sdkGeneration: Generated<number>;
  createdAt: Generated<Date>;
}

/** Key: apiKey. Every change of a row raises `version`, except a change of `lastUsedAt`. */
export interface ApiKeyTable
  extends Pick<ApiKey, 'apiKey' | 'homeWorkspaceId' | 'workspaceIds'>,
    SecretDigest {
  /** `storedPepperId` of the pepper. */
  pepperId: string;
  /** Null: all scopes, also of future releases. */
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

/** Key: id. Unique: issuer, subject. `version` rises with every change of what the person may do. */
export interface PersonTable {
  id: string;
  /** The provider and its id of the person. Null: the person came by a link. */
  issuer: string | null;
  subject: string | null;
  /** As the provider says it. It shows who somebody is, and proves nothing. */
  email: string | null;
  /** The address that the provider says it has verified. */
  verifiedEmail: ColumnType<string | null, string | null | undefined, string | null>;
  name: string;
  /** Since when the provider has said nothing about the groups of the person. Null: it has, at the last sign-in. */
  groupsMissingSince: ColumnType<Date | null, Date | null | undefined, Date | null>;
  /** Whether it may see the state of the deployment. Of a person of the provider: since the last sign-in. */
  isOperator: Generated<boolean>;
  version: Generated<number>;
  createdAt: Generated<Date>;
  /** To the hour. */
  lastSeenAt: NullAtFirst<Date>;
}

/** Key: id, a UUIDv7. Unique: workspaceId, personId. Every change of a row raises `version`. */
export interface MemberTable {
  id: string;
  workspaceId: string;
  /** Null: an invitation. */
  personId: string | null;
  /** The address that was invited. Null: no invitation. */
  invitedEmail: string | null;
  /** The key or person that made the invitation. Null: no invitation, or one of release 0.2.0. */
  invitedBy: ColumnType<string | null, string | undefined, string>;
  role: Role;
  personalData: boolean;
  origin: MemberOrigin;
  version: Generated<number>;
  createdAt: Generated<Date>;
}

/** How a person became a member. */
export type MemberOrigin = 'link' | 'invitation' | 'group';

/** Key: id. A row is deleted when its link is used. */
export interface SignInLinkTable extends SecretDigest {
  id: string;
  /** Null with `isOperator`. */
  workspaceId: string | null;
  /** It signs in a new person as the operator, with this name. */
  isOperator: Generated<boolean>;
  /** The invitation that it accepts. Null: it signs in a new person with this role and name. */
  memberId: string | null;
  role: Role | null;
  name: string | null;
  createdAt: Generated<Date>;
  expiresAt: Date;
}

/** Key: id, a UUIDv7. An empty list of webhooks stands for all. */
export interface PortalLinkTable
  extends Pick<PortalLink, 'id' | 'workspaceId' | 'name' | 'webhookIds' | 'personalData' | 'createdBy'>,
    SecretDigest {
  createdAt: Generated<Date>;
  expiresAt: Date;
  usedAt: NullAtFirst<Date>;
  revokedAt: NullAtFirst<Date>;
}

/** Key: id. Unique: portalLinkId. It has a person, or a link of the portal. */
export interface PersonSessionTable extends SecretDigest {
  id: string;
  personId: string | null;
  portalLinkId: ColumnType<string | null, string | undefined, never>;
  createdAt: Generated<Date>;
  /** The last call, to the minute. */
  seenAt: Generated<Date>;
  expiresAt: Date;
  endedAt: NullAtFirst<Date>;
}

/** Key: apiKey, holder. */
export interface CredentialLeaseTable {
  /** An API key, or `sessionLease` of a session. */
  apiKey: string;
  /** The gateway that may cache the key, a UUID. */
  holder: string;
  expiresAt: Date;
}

export interface Tables extends AuditTables {
  workspace: WorkspaceTable;
  apiKey: ApiKeyTable;
  credentialLease: CredentialLeaseTable;
  sdkSecret: SdkSecretTable;
  person: PersonTable;
  member: MemberTable;
  signInLink: SignInLinkTable;
  personSession: PersonSessionTable;
  portalLink: PortalLinkTable;
}
