import type pg from 'pg';

/** The owner of a database and its roles on a shared server. Their comments name it. */
export interface Owner {
  /** Unique, without spaces. */
  id: string;
  /** The place of the owner for people, such as a data folder. */
  place: string;
}

interface Found {
  /** For messages: `role parley_identity`. */
  thing: string;
  kind: 'database' | 'role';
  name: string;
  comment: string | null;
}

const prefix = 'Made by Parley';

/** Returns the comment that marks a database or role as the owner's. */
export function commentOf({ id, place }: Owner): string {
  return `${prefix} ${id} of ${place}`;
}

/** Returns the ones that exist, with their comments. */
async function find(admin: pg.Client, database: string, roles: readonly string[]): Promise<Found[]> {
  const { rows } = await admin.query<Omit<Found, 'thing'>>(
    `select 'database' as kind, datname as name, shobj_description(oid, 'pg_database') as comment
       from pg_database where datname = $1
     union all
     select 'role', rolname, shobj_description(oid, 'pg_authid') from pg_roles where rolname = any ($2)
     order by 1, 2`,
    [database, roles],
  );
  return rows.map((row) => ({ ...row, thing: `${row.kind} ${row.name}` }));
}

/** Returns the ones that exist and belong to the owner. */
export async function findOwned(
  admin: pg.Client,
  owner: Owner,
  database: string,
  roles: readonly string[],
): Promise<{ database: boolean; roles: string[] }> {
  const owned = (await find(admin, database, roles)).filter((found) => isOf(owner, found));
  return {
    database: owned.some(({ kind }) => kind === 'database'),
    roles: owned.filter(({ kind }) => kind === 'role').map(({ name }) => name),
  };
}

/** Throws if one exists and does not belong to the owner. The message names it and its owner. */
export async function refuseOthers(
  admin: pg.Client,
  owner: Owner,
  database: string,
  roles: readonly string[],
): Promise<void> {
  const others = (await find(admin, database, roles)).filter((found) => !isOf(owner, found));
  if (others.length === 0) return;
  const things = others.map(({ thing }) => thing).join(', ');
  const places = new Set(
    others.map(({ comment }) => placeIn(comment)).filter((place) => place !== undefined),
  );
  const whose = places.size > 0 ? ` (of ${[...places].join(', ')})` : '';
  throw new Error(
    `the server already has objects of another owner${whose}: ${things}. Nothing was changed. Use another server, or the data folder of that owner`,
  );
}

function isOf({ id }: Owner, { comment }: Found): boolean {
  return comment?.startsWith(`${prefix} ${id} `) ?? false;
}

function placeIn(comment: string | null): string | undefined {
  return new RegExp(`^${prefix} \\S+ of (.*)`).exec(comment ?? '')?.[1];
}
