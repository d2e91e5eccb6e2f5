import { Customer } from '@parley/contracts/customer/v1/customer';
import { nameParts, searchedDetails } from '@parley/contracts/customer-details';
import { scans } from '@parley/postgres/sql/dialect';
import { fieldsOf } from '@parley/postgres/sql/fields';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Tables } from '../schema.ts';

type Db = Kysely<Tables>;

const fields = fieldsOf(Customer);

/** The columns that searches look into. The collation of ids would ignore the case of ASCII only. */
const searchedTexts = [
  sql`id collate "default"`,
  ...searchedDetails.map((column) => sql`${sql.ref(column)}`),
];

/** Greater than all characters. */
const lastCharacter = '\u{10ffff}';

/** At how many gaps between words a text is taken for a first and a last name. */
const splitsMax = 3;

function begins(text: RawBuilder<unknown>, beginning: string) {
  const first = sql`lower(${beginning}::text)`;
  return sql`(lower(${text}) ~>=~ ${first} and lower(${text}) ~<=~ (${first} || ${lastCharacter}::text))`;
}

/** Returns the conditions of a text that begins with both names, in either order: `ada lov`, `Lovelace, Ada`. */
function beginsBothNames(beginning: string) {
  const gaps = [...beginning.matchAll(/,?\s+/gu)].slice(0, splitsMax);
  const [firstName, lastName] = [sql.ref(nameParts[0]), sql.ref(nameParts[1])];
  return gaps.flatMap(({ 0: gap, index }) => {
    const [one, other] = [beginning.slice(0, index), beginning.slice(index + gap.length)];
    if (one === '' || other === '') return [];
    return [
      sql`(${begins(firstName, one)} and ${begins(lastName, other)})`,
      sql`(${begins(lastName, one)} and ${begins(firstName, other)})`,
    ];
  });
}

function found(db: Db, workspaceId: string, beginning: string) {
  const matches = [...searchedTexts.map((text) => begins(text, beginning)), ...beginsBothNames(beginning)];
  return db
    .selectFrom('customer')
    .where('workspaceId', '=', workspaceId)
    .where(sql<boolean>`(${sql.join(matches, sql` or `)})`);
}

/**
 * Returns a page of the customers whose id, details or both names begin with a text, ignoring case: oldest first. Costs
 * an index entry for each of them, or for each customer before the page if most match.
 */
export async function searchCustomers(
  db: Db,
  workspaceId: string,
  beginning: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<Customer[]> {
  return (
    found(scans(db), workspaceId, beginning)
      .select(fields)
      .orderBy('createdAt')
      .orderBy('id')
      // The planner must see them to choose an index.
      .limit(sql<number>`${limit}::bigint`)
      .offset(sql<number>`${offset}::bigint`)
      .execute()
  );
}

export async function countFound(db: Db, workspaceId: string, beginning: string): Promise<number> {
  const { total } = await found(scans(db), workspaceId, beginning)
    .select(sql<number>`count(*)`.as('total'))
    .executeTakeFirstOrThrow();
  return total;
}
