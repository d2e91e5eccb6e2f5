import { parseArgs } from 'node:util';
import { faults as everyFault } from './faults.ts';
import { type RunOutcome, runFaults } from './run.ts';
import { createWorld } from './world.ts';

// The long form of tests/webhooks/delivery-faults.e2e.test.ts.

const help = `usage: npm run faults -- [FLAGS]

Injects faults into a system during deliveries, and compares deliveries with completions.

  --rounds N   number of faults, one after another (200)
  --rate N     completions per second, for four webhooks each (30)
  --pause N    seconds from a fault to the next, on average (7)
  --seed N     decides the order of the faults and the receivers' answers (default: the time)
  --help       this text

Two more consumers of the events run beside the webhook service: one sleeps for half of each
round, the other starts in the middle of the run, from the beginning.

Exit code 1 if an event was lost, changed, unexpected or stuck, if recorded attempts differ from
received ones, or, with 100 rounds or more, if at least one in a thousand deliveries was a
duplicate, or two in a thousand events reached a consumer again.
`;

const replicas = 4;
const roundsPerAccount = 100;
const judgedRounds = 100;
const duplicateShareMax = 0.001;
const repeatedShareMax = 0.002;

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: '200' },
      rate: { type: 'string', default: '30' },
      pause: { type: 'string', default: '7' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(help);
    return 0;
  }
  const [rounds, rate, seed] = [Number(values.rounds), Number(values.rate), Number(values.seed)];
  if (
    !Number.isSafeInteger(rounds) ||
    rounds < 1 ||
    !(rate > 0) ||
    !(Number(values.pause) >= 0) ||
    !Number.isSafeInteger(seed)
  ) {
    process.stderr.write('--rounds, --rate, --pause and --seed must be numbers (see --help)\n');
    return 2;
  }
  const interruption = Promise.withResolvers<'interrupted'>();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => interruption.resolve('interrupted'));
  }

  say(`seed ${seed}`);
  await using world = await createWorld({ replicas, seed });
  const running = runFaults({
    world,
    rounds,
    seed,
    faults: everyFault,
    completionsPerSecond: rate,
    pauseMs: Number(values.pause) * 1_000,
    roundsPerAccount,
    show: say,
  });
  const outcome = await Promise.race([running, interruption.promise]);
  if (outcome === 'interrupted') {
    say('interrupted: the deliveries were not checked');
    return 1;
  }
  const duplicates = printReport(outcome);
  const { deliveries } = outcome.account;
  const faults = [...outcome.faults, ...neverStruck(outcome)];
  if (rounds >= judgedRounds && duplicates >= duplicateShareMax * deliveries) {
    faults.push(`${duplicates} of ${deliveries} deliveries were duplicates`);
  }
  for (const { durable, handled, repeated } of outcome.teams) {
    if (rounds >= judgedRounds && repeated > repeatedShareMax * handled) {
      faults.push(`the ${durable} got ${repeated} of ${handled} events again`);
    }
  }
  for (const fault of faults) process.stdout.write(`\n${fault}\n`);
  process.stdout.write(`\n${faults.length} faults, seed ${seed}\n`);
  return faults.length > 0 ? 1 : 0;
}

/** Returns the faults that were never possible, so that the run proves nothing about them. */
function neverStruck({ strikes, missed }: RunOutcome): string[] {
  const struck = countOf(strikes.map(({ name }) => name));
  return [...countOf(missed)]
    .filter(([name, times]) => times === struck.get(name))
    .map(([name]) => `this fault was never possible: ${name}`);
}

function countOf(names: readonly string[]): Map<string, number> {
  return new Map([...Map.groupBy(names, (name) => name)].map(([name, all]) => [name, all.length]));
}

function printReport({ strikes, missed, account, teams }: RunOutcome): number {
  const { completed, deliveries, attempts, states, duplicates } = account;
  const row = (count: number, name: string): void => {
    process.stdout.write(`${String(count).padStart(9)}  ${name}\n`);
  };
  process.stdout.write('\n');
  const misses = countOf(missed);
  for (const [name, times] of countOf(strikes.map(({ name: one }) => one))) {
    const of = misses.get(name);
    row(times, `times: ${name}${of ? `; ${of} times not possible` : ''}`);
  }
  row(completed, 'interactions completed');
  row(deliveries, 'deliveries');
  for (const [state, number] of Object.entries(states)) row(number, `  ${state}`);
  row(attempts, 'attempts');
  const repeated = duplicates.length;
  const deaths = strikes.filter(({ kills }) => kills).length;
  const share = ((100 * repeated) / Math.max(1, deliveries)).toFixed(3);
  row(repeated, `duplicates (${share} %), in ${deaths} faults that kill workers`);
  const byName = Map.groupBy(duplicates, (strike) => strike?.name ?? 'nothing');
  for (const [name, all] of byName) {
    const most = Math.max(...[...Map.groupBy(all, (strike) => strike).values()].map(({ length }) => length));
    row(all.length, `  ${name}, up to ${most} in one`);
  }
  for (const team of teams)
    row(team.handled, `events of the ${team.durable}, ${team.repeated} of them again`);
  return repeated;
}

const startedAt = Date.now();

function say(line: string): void {
  process.stderr.write(`[${((Date.now() - startedAt) / 1000).toFixed(1)} s] ${line}\n`);
}

// An interruption leaves open handles.
process.exit(await main());
