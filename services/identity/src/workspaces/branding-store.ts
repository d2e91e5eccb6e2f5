import { Branding, type EndLink } from '@parley/contracts/identity/v1/identity';
import { fieldsOf } from '@parley/postgres/sql/fields';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../schema.ts';

type Db = Kysely<Tables>;

/** Fields to change; null clears. */
export interface BrandingChange {
  displayName?: string | null;
  logo?: { content: Buffer; name: string } | null;
  accentColor?: string | null;
  endText?: string | null;
  privacyText?: string | null;
  endLink?: EndLink | null;
}

const brandingFields = [...fieldsOf(Branding, ['version']), 'brandingVersion as version'] as const;

/** Undefined when the workspace does not exist. */
export async function findBranding(db: Db, workspaceId: string): Promise<Branding | undefined> {
  return db.selectFrom('workspace').where('id', '=', workspaceId).select(brandingFields).executeTakeFirst();
}

/** Locks the branding until the end of the transaction. Undefined when the workspace does not exist. */
export async function lockBranding(trx: Db, workspaceId: string): Promise<Branding | undefined> {
  return trx
    .selectFrom('workspace')
    .where('id', '=', workspaceId)
    .select(brandingFields)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/** Changes the branding of a workspace that exists, and returns it. */
export async function changeBranding(
  trx: Db,
  workspaceId: string,
  { logo, endLink, ...change }: BrandingChange,
): Promise<Branding> {
  return trx
    .updateTable('workspace')
    .set({
      ...change,
      ...(logo !== undefined && { logo: logo?.content ?? null, logoName: logo?.name ?? null }),
      ...(endLink !== undefined && { endLink: endLink && JSON.stringify(endLink) }),
      brandingVersion: sql`branding_version + 1`,
    })
    .where('id', '=', workspaceId)
    .returning(brandingFields)
    .executeTakeFirstOrThrow();
}

/** Returns the workspace's logo if it has this name. */
export async function findLogo(db: Db, workspaceId: string, name: string): Promise<Buffer | undefined> {
  const found = await db
    .selectFrom('workspace')
    .where('id', '=', workspaceId)
    .where('logoName', '=', name)
    .select('logo')
    .executeTakeFirst();
  return found?.logo ?? undefined;
}
