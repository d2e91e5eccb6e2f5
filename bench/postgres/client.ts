import pg from 'pg';
import { answerTurns, type Turn, workUnder } from '../turns/worker.ts';
import { runsOf, type Statement, type Way } from './statements.ts';

/** The first message: the database, and the way to open it. */
export interface ClientStart {
  way: Way;
  url: string;
}

/** The later messages. */
export interface StatementTurn extends Turn {
  statement: Statement;
}

await answerTurns(async ({ way, url }: ClientStart) => {
  const ids = await idsOfItems(url);
  const runs = runsOf(way, url);
  return (turn: StatementTurn) => {
    const run = runs[turn.statement];
    return workUnder(turn, () => run(ids[Math.floor(Math.random() * ids.length)] ?? ''));
  };
});

async function idsOfItems(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ id: string }>('select id from item');
  await client.end();
  return rows.map((row) => row.id);
}
