import { startOwnPostgres } from '@parley/testing/servers/own-postgres';
import type { ClientStart, StatementTurn } from './postgres/client.ts';
import { statements, type Way, ways } from './postgres/statements.ts';
import { createTables } from './postgres/tables.ts';
import { stopwatchOfChildren } from './processor-time.ts';
import { spreadOf } from './statistics.ts';
import { loads, loadTitle, costRatioText, runComparison, spreadText, takeTurns } from './turns.ts';
import type { Work } from './turns/worker.ts';
import { startWorker, type Worker } from './worker.ts';

/** The cost of a turn in all. */
interface Cost extends Work {
  postgresUs: number;
}

await runComparison(
  { name: 'postgres', measures: 'what a statement costs against plain Kysely' },
  async (plan) => {
    await using stack = new AsyncDisposableStack();
    const postgres = stack.use(await startOwnPostgres('bench-postgres', { durable: true }));
    const url = await createTables(postgres.url);
    const clients = {} as Record<Way, Worker>;
    for (const way of ways) {
      clients[way] = stack.use(startWorker(new URL('./postgres/client.ts', import.meta.url)));
      await clients[way].ask({ way, url } satisfies ClientStart);
    }
    for (const statement of statements) {
      for (const load of loads) {
        const turn: StatementTurn = { statement, load, seconds: plan.seconds };
        const costs = await takeTurns(ways, plan, async (way): Promise<Cost> => {
          const usedByBackends = stopwatchOfChildren(postgres.pid);
          const work = await clients[way].ask<Work>(turn);
          return { ...work, postgresUs: usedByBackends() };
        });
        print(`${statement}, ${loadTitle(load)}`, costs, plan.seconds);
      }
    }
  },
);

function print(title: string, costs: Record<Way, Cost[]>, seconds: number): void {
  console.log(`\n${title}: us of CPU per statement, median [min, max]`);
  // The cost of the loop itself is subtracted.
  const idleUs = spreadOf(costs.nothing.map(({ cpuUs, count }) => cpuUs / count)).median;
  const figures: [string, (cost: Cost) => number][] = [
    ['node', ({ cpuUs, count }) => cpuUs / count - idleUs],
    ['Postgres', ({ postgresUs, count }) => postgresUs / count],
    ['both', ({ cpuUs, postgresUs, count }) => (cpuUs + postgresUs) / count - idleUs],
  ];
  for (const way of ['plain Kysely', 'openDatabase', 'prepared'] as const) {
    const perSecond = spreadOf(costs[way].map(({ count }) => count / seconds)).median;
    const columns = figures.map(([name, of]) => {
      const ratio =
        way === 'plain Kysely'
          ? ''
          : ` = ${costRatioText(of, costs[way], costs['plain Kysely'])} of plain Kysely`;
      return `  ${name} ${spreadText(costs[way].map(of), 0)}${ratio}`;
    });
    console.log(`${way}: ${perSecond.toFixed(0)}/s\n${columns.join('\n')}`);
  }
}
