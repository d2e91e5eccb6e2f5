import { startDeployment } from './setup/deployment.ts';
import { choiceFlag, numberFlag, readFlags, runBenchmark, show } from './setup/flags.ts';
import { loadOf, loads } from './noise/loads.ts';
import { type Bench, type LoadOutcome, measureLoad, measureQuiet, missedTargets } from './noise/measure.ts';
import { headingOf, reportOf } from './noise/report.ts';
import { startCalls } from './noise/victim.ts';
import { createWorld, sizesOf } from './noise/world.ts';
import { startWorker } from './setup/worker.ts';

const help = `Measures what loads of one tenant do to the calls of another: npm run bench:noise -- [FLAGS]

  --load NAME   only this load; may be repeated (all)
  --seconds N   duration of the quiet phase and of each load (20)
  --rows N      customers of the attacker; its other rows are in proportion (600000)
  --json        prints one JSON value
  --help        this text

Targets: no failed call of the victim, its p99 at most 3 times the one of the quiet phase or at most
50 ms more, and no process that grows by more than 150 MB.

Loads:
${loads.map(({ name, does }) => `  ${name.padEnd(24)}${does}`).join('\n')}
`;

/** Of each kind of call. */
const callsPerSecond = 5;
/** The time of a load that is not its measurement, on average at most. */
const otherSeconds = 40;

await runBenchmark(async (ended) => {
  const flags = readFlags({
    load: { type: 'string', multiple: true, default: [] },
    seconds: { type: 'string', default: '20' },
    rows: { type: 'string', default: '600000' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  });
  if (flags.help) {
    process.stdout.write(help);
    return;
  }
  const names = loads.map(({ name }) => name);
  const chosen = flags.load.length > 0 ? flags.load.map((name) => choiceFlag('load', name, names)) : names;
  const seconds = numberFlag('seconds', flags.seconds, 1);
  const sizes = sizesOf(numberFlag('rows', flags.rows, 1_000));
  await using stack = new AsyncDisposableStack();
  const { system, secrets, times } = stack.use(await startDeployment({ hasRateLimits: true, show, ended }));
  const conversations = Math.ceil((chosen.length + 2) * (seconds + otherSeconds) * callsPerSecond);
  const world = await createWorld(system, secrets, { sizes, conversations }, show);
  const attacker = stack.use(
    startWorker(new URL('./noise/main.ts', import.meta.url), { nodeFlags: ['--conditions=@parley/source'] }),
  );
  const calls = stack.use(startCalls(world, callsPerSecond));
  const bench: Bench = {
    world,
    calls,
    attacker,
    processes: () => system.local().processes,
    times,
    seconds,
    ended,
  };

  show('warming up');
  await measureQuiet(bench);
  show('measuring without a load');
  const quiet = await measureQuiet(bench);
  if (!flags.json) process.stdout.write(headingOf(quiet));
  const outcomes: LoadOutcome[] = [];
  for (const name of chosen) {
    ended.throwIfAborted();
    show(name);
    const outcome = await measureLoad(bench, loadOf(name), quiet);
    outcomes.push(outcome);
    if (!flags.json) process.stdout.write(reportOf(outcome, quiet));
  }
  const judged = outcomes.map((outcome) => ({ ...outcome, missed: missedTargets(outcome, quiet) }));
  if (flags.json)
    process.stdout.write(`${JSON.stringify({ seconds, sizes, quiet, loads: judged }, null, 2)}\n`);
  else
    process.stdout.write(
      `\n${judged.filter(({ missed }) => missed.length > 0).length} of ${judged.length} loads: NOT MET\n`,
    );
});
