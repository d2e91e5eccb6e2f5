import { serviceNames } from '@parley/contracts/services';
import { cacheableMs } from '../services/identity/src/leases/leases.ts';
import { bulkCase, type Case, caseOf, cases, type Pace } from './cases.ts';
import { fill, fillBaseline } from './contents.ts';
import { startDeployment, subjectOf } from './deployment.ts';
import { requireEqualAnswers } from './equality.ts';
import { choiceFlag, FlagError, numberFlag, readFlags, runBenchmark, show } from './flags.ts';
import { startBaseline } from './baseline.ts';
import { type Part, plainFlags, replaced } from './plain/parts.ts';
import { profileClock, profileFlags, profileReport } from './profile.ts';
import { jsonOf, reportOf } from './report.ts';
import { measureAll, type Outcome, type Plan, singleUseTotal } from './rounds.ts';
import type { Subject } from './subject.ts';
import { measureTelemetry } from './telemetry/measure.ts';
import { telemetryJson, telemetryReport } from './telemetry/report.ts';

const profiled = ['monolith', ...serviceNames] as const;
const parts = Object.keys(replaced) as Part[];
const paces: readonly Pace[] = ['saturated', 'moderate'];

const help = `Compares calls of the API with those of an equal monolith: npm run bench:api -- [FLAGS]

  --only CASE[,CASE]   (all) of:
                       ${cases.map(({ name }) => name).join(', ')}
  --pace PACE          saturated: 64 connections; moderate: 500 calls/s (both)
  --rounds N           measurements of each case on each side (5; with --telemetry 100)
  --seconds N          duration of each measurement (4; with --telemetry 0.5)
  --telemetry          compares GET interaction with telemetry and without, switched in the same
                       processes: without an exporter, with 10 % of the traces exported, and with
                       metrics only
  --bulk               compares an interaction of a bulk call of 100 with one of a single call, in
                       the same processes, with 64 connections; not with --telemetry
  --plain PART         calls: Parley's services call each other by plain unary calls of grpc-js;
                       pool: they use a plain pool of pg; not with --telemetry
  --profile NAME,...   profiles these processes; figures of such a run are not comparable; not with
                       --telemetry: ${profiled.join(', ')}
  --json               prints one JSON value
  --help               this text
`;

const sizes = { customers: 5_000, interactions: 20_000, bots: 1 };

await runBenchmark(async (ended) => {
  const flags = readFlags({
    only: { type: 'string', default: cases.map(({ name }) => name).join(',') },
    pace: { type: 'string' },
    rounds: { type: 'string' },
    seconds: { type: 'string' },
    telemetry: { type: 'boolean', default: false },
    bulk: { type: 'boolean', default: false },
    plain: { type: 'string' },
    profile: { type: 'string', default: '' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  });
  if (flags.help) {
    process.stdout.write(help);
    return;
  }
  const shared = {
    paces: flags.pace === undefined ? paces : [choiceFlag('pace', flags.pace, paces)],
    rounds: numberFlag('rounds', flags.rounds ?? (flags.telemetry ? '100' : '5'), 1),
    seconds: numberFlag('seconds', flags.seconds ?? (flags.telemetry ? '0.5' : '4'), 0.5),
    show,
    ended,
  };
  const toProfile = flags.profile.split(',').filter(Boolean);
  for (const name of toProfile) choiceFlag('profile', name, profiled);
  const plain = flags.plain === undefined ? undefined : choiceFlag('plain', flags.plain, parts);
  if (flags.telemetry) {
    if (flags.bulk) throw new FlagError('--bulk does not go with --telemetry');
    if (plain) throw new FlagError('--plain does not go with --telemetry');
    if (toProfile.length > 0) throw new FlagError('--profile does not go with --telemetry');
    const outcomes = await measureTelemetry(
      {
        ...shared,
        measured: caseOf('get-interaction'),
        onOutcome: (outcome) => {
          if (!flags.json) process.stdout.write(telemetryReport(outcome));
        },
      },
      { ...sizes, conversations: 0 },
    );
    if (flags.json) process.stdout.write(`${JSON.stringify(outcomes.map(telemetryJson), null, 2)}\n`);
    return;
  }
  const onOutcome = (outcome: Outcome): void => {
    if (!flags.json) process.stdout.write(reportOf(outcome));
  };
  let warmAt = 0;
  const plan: Plan = {
    ...shared,
    cases: flags.only
      .split(',')
      .map((name) => (plain ? { ...chosenCase(name), ratioMax: {} } : chosenCase(name))),
    onWarm: () => {
      warmAt = profileClock();
    },
    onOutcome,
  };
  const outcomes = flags.bulk ? await measureBulk(plan) : await measureCalls(plan, toProfile, plain);
  if (flags.json) process.stdout.write(`${JSON.stringify(outcomes.map(jsonOf), null, 2)}\n`);
  // Processes write their profiles when they end.
  else for (const name of toProfile) process.stdout.write(await profileReport(name, warmAt));
  if (outcomes.some(({ fault }) => fault !== undefined))
    throw new Error('some cases were aborted; see the report');
});

function chosenCase(name: string): Case {
  const names = cases.map((one) => one.name);
  return caseOf(choiceFlag('only', name, names));
}

/** Compares interactions of single calls with those of bulk calls, in the same processes. */
async function measureBulk(plan: Omit<Plan, 'cases' | 'paces' | 'onWarm'>): Promise<Outcome[]> {
  await using deployment = await startDeployment({ nodeFlags: () => [], show, ended: plan.ended });
  const contents = await fill(deployment, { ...sizes, conversations: 0 }, show);
  const single = subjectOf('single calls', deployment, contents);
  const itemsPerCall = 100;
  const bulk: Subject = { ...single, name: `bulk of ${itemsPerCall}`, itemsPerCall };
  return await measureAll([single, bulk], {
    ...plan,
    cases: [bulkCase],
    paces: ['saturated'],
    onWarm: () => {},
  });
}

async function measureCalls(plan: Plan, toProfile: readonly string[], plain: Part | undefined) {
  const { ended } = plan;
  const flagsOf = (name: string): string[] => (toProfile.includes(name) ? profileFlags(name) : []);
  const nodeFlags = (name: string): string[] => [...flagsOf(name), ...(plain ? plainFlags(plain) : [])];
  await using deployment = await startDeployment({ nodeFlags, show, ended });
  const { credentialPeppers, sessionKeys, linkKeys } = deployment.secrets;
  const { landingUrl } = deployment.system.local();
  show('starting the monolith');
  await using baseline = await startBaseline(
    { credentialPeppers, sessionKeys, linkKeys, landingUrl, credentialMs: cacheableMs },
    flagsOf('monolith'),
  );
  show('filling both');
  const conversations = plan.cases.some(({ isRepeated }) => !isRepeated) ? singleUseTotal(plan) : 0;
  const contents = await fill(deployment, { ...sizes, conversations }, show);
  await fillBaseline(baseline, deployment, contents);

  const parley = subjectOf(plain ? `plain ${plain}` : 'parley', deployment, contents);
  const monolith: Subject = { ...parley, name: 'monolith', port: baseline.port, times: baseline.times };
  const subjects = [monolith, parley];
  for (const one of plan.cases) await requireEqualAnswers(subjects, one);
  show('both give equal answers');
  return await measureAll(subjects, plan);
}
