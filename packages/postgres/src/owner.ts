import type pg from 'pg';

/** Whose a database and its roles are, on a server that several use; it is in their comments. */
export interface Owner {
  /** One word that no other owner has. */
  id: string;
  /** Where the owner is found, for people. */
  place: string;
}

/** What there is by the names of a database and its roles. */
interface Found {
  /** As people call it: `role parley_identity`. */
  thing: string;
  kind: 'database' | 'role';
  name: string;
  comment: string | null;
}

const said = 'Made by Parley';

/** The comment by which a thing is known as the owner's. */
export function commentOf({ id, place }: Owner): string {
  return `${said} ${id} of ${place}`;
}

/** Which of them are on the server, and what their comments say. */
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

/** Which of them are there and the owner's. */
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

/** Throws when one of them is there and not the owner's. The message says which, and whose it is. */
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
    `the server has already what somebody else may use${whose}: ${things}. Nothing was changed; use another server, or the data folder that they belong to`,
  );
}

function isOf({ id }: Owner, { comment }: Found): boolean {
  return comment?.startsWith(`${said} ${id} `) ?? false;
}

function placeIn(comment: string | null): string | undefined {
  return new RegExp(`^${said} \\S+ of (.*)`).exec(comment ?? '')?.[1];
}
