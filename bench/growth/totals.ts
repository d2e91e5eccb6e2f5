import { openAdmin } from '../setup/seed.ts';
import { filters, listPath } from './cases.ts';
import type { Side } from './measure.ts';

export interface Total {
  filter: string;
  reported: number;
  counted: number;
}

/** Returns the totals of all lists of one side. Nothing may be written meanwhile. */
export async function totalsOf({ subject, client }: Side, postgresUrl: string): Promise<Total[]> {
  await using admin = await openAdmin(postgresUrl);
  const totals: Total[] = [];
  for (const filter of filters) {
    const { body } = await client.call('GET', listPath(subject, filter, 1));
    const { rows } = await admin.query<{ counted: string }>(
      `select count(*) as counted from interaction where workspace_id = $1 and ${filter.condition(subject)}`,
      [subject.contents.workspaceId],
    );
    totals.push({
      filter: filter.title,
      reported: body.meta?.totalResults ?? Number.NaN,
      counted: Number(rows[0]?.counted),
    });
  }
  return totals;
}
