import { serviceNames } from '@parley/contracts/services';
import { cacheableMs } from '../services/identity/src/leases/leases.ts';
import { bulkCase, type Case, caseOf, cases, type Pace } from './api/cases.ts';
import { fill, fillBaseline } from './setup/contents.ts';
import { startDeployment, subjectOf } from './setup/deployment.ts';
import { requireEqualAnswers } from './api/equality.ts';
import { choiceFlag, numberFlag, readFlags, runBenchmark, show } from './setup/flags.ts';
import { startBaseline } from './monolith/baseline.ts';
import { type Part, plainFlags, replaced } from './plain/parts.ts';
import { profileClock, profileFlags, profileReport } from './measure/profile.ts';
import { jsonOf, reportOf } from './api/report.ts';
import { measureAll, type Outcome, type Plan, singleUseTotal } from './api/rounds.ts';
import type { Subject } from './setup/subject.ts';

const profiled = ['monolith', ...serviceNames] as const;
const parts = Object.keys(replaced) as Part[];
const paces: readonly Pace[] = ['saturated', 'moderate'];

const help = `Compares calls of the API with those of equal monoliths: npm run bench:api -- [FLAGS]

  --only CASE[,CASE]   (all) of:
                       ${cases.map(({ name }) => name).join(', ')}
  --pace PACE          saturated: 64 connections; moderate: 500 calls/s (both)
  --rounds N           measurements of each case on each side (5)
  --seconds N          duration of each measurement (4)
  --bulk               compares an interaction of a bulk call of 100 with one of a single call, in
                       the same processes, with 64 connections
  --plain PART         calls: Parley's services call each other by plain unary calls of grpc-js;
                       pool: they use a plain pool of pg
  --profile NAME,...   profiles these processes; figures of such a run are not comparable:
                       ${profiled.join(', ')}
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
    rounds: numberFlag('rounds', flags.rounds ?? '5', 1),
    seconds: numberFlag('seconds', flags.seconds ?? '4', 0.5),
    show,
    ended,
  };
  const toProfile = flags.profile.split(',').filter(Boolean);
  for (const name of toProfile) choiceFlag('profile', name, profiled);
  const plain = flags.plain === undefined ? undefined : choiceFlag('plain', flags.plain, parts);
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

/** Compares interactions of single calls with interactions of bulk calls, in the same processes. */
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
  show('starting the monolith, without and with an outbox');
  const settings = { credentialPeppers, sessionKeys, linkKeys, landingUrl, credentialMs: cacheableMs };
  await using plainBaseline = await startBaseline({ ...settings, hasOutbox: false }, flagsOf('monolith'));
  await using outboxBaseline = await startBaseline({ ...settings, hasOutbox: true });
  const baselines = [plainBaseline, outboxBaseline];
  show('filling all');
  const conversations = plan.cases.some(({ isRepeated }) => !isRepeated) ? singleUseTotal(plan) : 0;
  const contents = await fill(deployment, { ...sizes, conversations }, show);
  for (const baseline of baselines) await fillBaseline(baseline, deployment, contents);

  const parley = subjectOf(plain ? `plain ${plain}` : 'parley', deployment, contents);
  const monoliths = baselines.map(({ port, times, name }): Subject => ({ ...parley, name, port, times }));
  const subjects = [...monoliths, parley];
  for (const one of plan.cases) await requireEqualAnswers(subjects, one);
  show('all give equal answers');
  return await measureAll(subjects, plan);
}
