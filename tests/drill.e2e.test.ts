import { findDistributionProgram } from '@parley/testing/distribution-program';
import { expect, test } from 'vitest';
import { runDrill } from './drill/drill.ts';

// The short form of `npm run drill`. The embedded Postgres has no `pg_dump`, so this needs Debian's.

test('after the loss of everything, a restore from dumps of different instants delivers each completion in them', async ({
  skip,
}) => {
  const found = await findDistributionProgram('postgresql-15', 'usr/lib/postgresql/15/bin/postgres');
  if (typeof found === 'string') return skip(found);
  const report = await runDrill({ perSecond: 8, loadSeconds: 2, apartSeconds: 1, show: () => {} });
  expect(report.undelivered).toEqual([]);
  expect(report.late).toBeGreaterThan(0);
});
