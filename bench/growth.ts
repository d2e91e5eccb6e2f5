import { eventually } from '@parley/testing/eventually';
import { fill } from './setup/contents.ts';
import { type Deployment, startDeployment, subjectOf } from './setup/deployment.ts';
import { FlagError, numberFlag, readFlags, runBenchmark, show } from './setup/flags.ts';
import { filters, type GrowthCase, listCases, listPath, otherCases } from './growth/cases.ts';
import { openClient } from './growth/client.ts';
import { idleReport, measureIdle } from './growth/idle.ts';
import { countSeeded, insightCases } from './growth/insight.ts';
import { type GrowthOutcome, measureGrowth, type Side } from './growth/measure.ts';
import { measureSweeps } from './growth/sweeps.ts';
import { openAdmin, seedOthers } from './setup/seed.ts';

const help = `Measures the cost of calls with few and with many rows: npm run bench:growth -- [FLAGS]

  --rows N    interactions of the large workspace (5000000; the small one has 1000)
  --json      prints one JSON value
  --help      this text

Each workspace has its own system. Calls alternate between both. A deep page is compared with the
first page of the small workspace, and insight with that of an hour. The sweeps of the interaction
service run on both as well. Before, insight counts all rows, at most 5,000 a second.
`;

const smallRows = 1_000;
/** Equal in both workspaces, so that lists of one customer have the same length. */
const interactionsPerCustomer = 50;

await runBenchmark(async (ended) => {
  const flags = readFlags({
    rows: { type: 'string', default: '5000000' },
    open: { type: 'boolean', default: false },
    workspaces: { type: 'string', default: '1' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  });
  if (flags.help) {
    process.stdout.write(help);
    return;
  }
  const rows = numberFlag('rows', flags.rows, smallRows);
  const workspaces = numberFlag('workspaces', flags.workspaces, 1);
  const areOpen = flags.open;
  if (workspaces > 1 && !areOpen) throw new FlagError('--workspaces needs --open');
  await using stack = new AsyncDisposableStack();
  const start = async (
    name: string,
    interactions: number,
    others = 0,
  ): Promise<Side & { deployment: Deployment }> => {
    show(`starting the system with ${interactions.toLocaleString('en')} interactions`);
    const deployment = stack.use(await startDeployment({ show, ended }));
    const customers = Math.ceil(interactions / interactionsPerCustomer);
    const sizes = { customers, interactions, conversations: 0, bots: areOpen ? 1 : 3, areOpen };
    const contents = await fill(deployment, sizes, show);
    if (others > 0) {
      await using admin = await openAdmin(deployment.system.local().postgresUrl);
      show(`filling ${others.toLocaleString('en')} other workspaces`);
      await seedOthers(admin, contents, others);
    }
    const subject = subjectOf(name, deployment, contents);
    return { deployment, subject, client: stack.use(openClient(subject.port, subject.authorization)) };
  };
  const small = await start('small', smallRows);
  const large = await start('large', Math.ceil(rows / workspaces), workspaces - 1);
  for (const { deployment } of [small, large]) {
    show('counting for insight');
    show(`counted in ${(await countSeeded(deployment, show, ended)).toFixed(1)} s`);
  }
  show('measuring without calls');
  const idle = await measureIdle(small.deployment, large.deployment, ended);

  const outcomes: GrowthOutcome[] = [];
  const measure = async (measured: GrowthCase): Promise<void> => {
    ended.throwIfAborted();
    const outcome = await measureGrowth(measured, small, large);
    outcomes.push(outcome);
    showOutcome(outcome);
  };
  const totals = async (): Promise<Total[]> => {
    const sides = [small, large].map((side) => totalsOf(side, side.deployment.system.local().postgresUrl));
    return (await Promise.all(sides)).flat();
  };
  show('counting');
  const before = await totals();
  for (const [index, filter] of filters.entries()) {
    const reported = [small, large].map((side, which) => {
      return [side.subject, before[which * filters.length + index]?.reported ?? 0] as const;
    });
    // Open conversations have no completion.
    if (reported.every(([, total]) => total === 0)) continue;
    for (const measured of listCases(filter, new Map(reported))) await measure(measured);
  }
  for (const measured of [...otherCases, ...insightCases]) await measure(measured);
  show('sweeps');
  const sweeps = await measureSweeps(small.deployment, large.deployment, { areOpen });
  sweeps.forEach(showOutcome);
  outcomes.push(...sweeps);
  show('counting again');
  // The gateway calls a service that was frozen only after a while.
  for (const { client, subject } of [small, large]) {
    await eventually(() => client.call('GET', `/v1/workspaces/${subject.contents.workspaceId}/interactions`));
  }
  const wrong = [...before, ...(await totals())].filter(({ reported, counted }) => reported !== counted);

  if (flags.json) process.stdout.write(`${JSON.stringify({ rows, idle, outcomes, wrong }, null, 2)}\n`);
  else process.stdout.write(reportOf(rows, outcomes, wrong) + idleReport(idle));
});

function showOutcome({ measured, smallMs, largeMs }: GrowthOutcome): void {
  const medians = [smallMs, largeMs].map(({ median }) => `${median.toFixed(2)} ms`);
  show(`${measured.title}: ${medians.join(' and ')}`);
}

function reportOf(rows: number, outcomes: readonly GrowthOutcome[], wrong: readonly Total[]): string {
  const lines = outcomes.map(({ measured, smallMs, largeMs, fault }) => {
    if (fault !== undefined) return `  ${measured.title.padEnd(44)}  GIVEN UP: ${fault}`;
    const { against = measured.title, ratioMax } = measured;
    const base = outcomes.find((other) => other.measured.title === against);
    const ratio = largeMs.median / (base?.smallMs.median ?? Number.NaN);
    const verdict =
      ratioMax === undefined ? '' : `  at most ${ratioMax}: ${ratio <= ratioMax ? 'met' : 'NOT MET'}`;
    const figures = [smallMs.median, largeMs.median, ratio].map((value) => value.toFixed(2).padStart(9));
    return `  ${measured.title.padEnd(44)}${figures.join('')}${verdict}`;
  });
  const verdict = wrong.length === 0 ? 'exact: met' : `NOT MET: ${JSON.stringify(wrong)}`;
  const heading = ['1,000 rows', `${rows.toLocaleString('en')} rows`].join(' and ');
  return [
    '',
    `Median milliseconds of a call or sweep at ${heading}, and the ratio`,
    ...lines,
    `  totals of all lists, before and after the POSTs: ${verdict}`,
    '',
  ].join('\n');
}

interface Total {
  filter: string;
  reported: number;
  counted: number;
}

/** Returns the totals of all lists of one side. Nothing may be written meanwhile. */
async function totalsOf({ subject, client }: Side, postgresUrl: string): Promise<Total[]> {
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
