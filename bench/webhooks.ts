import { choiceFlag, numberFlag, readFlags, runBenchmark, show } from './setup/flags.ts';
import { profileClock, profileFlags, profileReport } from './measure/profile.ts';
import { compare, comparisonReport } from './webhooks/comparison.ts';
import { failoverReport, measureFailover } from './webhooks/failover.ts';
import { isolationReport, measureIsolation } from './webhooks/isolation.ts';
import { latencyReport, measureLatency } from './webhooks/latency.ts';
import { measureVariant, type Variant, variantReport, variants } from './webhooks/variants.ts';

const help = `Measures webhook delivery: npm run bench:webhooks -- [FLAGS]

Without one of --latency, --isolation, --backlog, --lanes, --replicas, --failover: the cost of a
delivery, in turns with others that do the same job.

  --rounds N       turns of each, or rounds (5; --isolation 3)
  --deliveries N   deliveries of each turn (20000)
  --webhooks N     webhooks of our deliveries (50; --backlog 1000)
  --only NAMES     comma-separated peers (graphile-worker,graphile-worker with log,minimal sender)
  --profile        write a V8 profile of our worker; its figures are not comparable

  --latency        from a completion to the POST of its webhook, in turns with a commit and a POST
    --seconds N      duration of each turn (25)
    --per-second N   completions (100)

  --isolation      latency of a healthy tenant, without and with unresponsive receivers
    --seconds N      duration of each phase (25: longer than the timeout of an attempt)
    --per-second N   deliveries of the tenant (200)
    --holes N        receivers that never answer (50)
    --hole-backlog N due deliveries of each (400)

  --backlog        cost of a delivery with a backlog, against none
    --due N          deliveries that are due (1000000)
    --finished N     deliveries of the last 30 days (10000000)

  --lanes          cost of a delivery with 100,000 webhooks, of which 200 have due deliveries,
                   against 50
    --all N          total of webhooks (100000)

  --replicas       cost of a delivery with two replicas, against one

  --failover       pause of the lanes of a killed replica, with two replicas (50 rounds)

  --help           this text
`;

const peers = ['graphile-worker', 'graphile-worker with log', 'minimal sender'] as const;

await runBenchmark(async (ended) => {
  const flags = readFlags({
    rounds: { type: 'string' },
    deliveries: { type: 'string', default: '20000' },
    webhooks: { type: 'string' },
    only: { type: 'string', default: peers.join(',') },
    profile: { type: 'boolean', default: false },
    latency: { type: 'boolean', default: false },
    isolation: { type: 'boolean', default: false },
    seconds: { type: 'string', default: '25' },
    'per-second': { type: 'string' },
    holes: { type: 'string', default: '50' },
    'hole-backlog': { type: 'string', default: '400' },
    backlog: { type: 'boolean', default: false },
    due: { type: 'string', default: '1000000' },
    finished: { type: 'string', default: '10000000' },
    lanes: { type: 'boolean', default: false },
    all: { type: 'string', default: '100000' },
    replicas: { type: 'boolean', default: false },
    failover: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  });
  if (flags.help) {
    process.stdout.write(help);
    return;
  }
  const rounds = numberFlag(
    'rounds',
    flags.rounds ?? (flags.failover ? '50' : flags.isolation ? '3' : '5'),
    1,
  );
  const webhooks = numberFlag('webhooks', flags.webhooks ?? (flags.backlog ? '1000' : '50'), 1);
  const deliveries = numberFlag('deliveries', flags.deliveries, 1_000);
  const seconds = numberFlag('seconds', flags.seconds, 1);
  const perSecond = numberFlag('per-second', flags['per-second'] ?? (flags.latency ? '100' : '200'), 1);
  if (flags.latency) {
    process.stdout.write(latencyReport(await measureLatency({ rounds, seconds, perSecond, show, ended })));
    return;
  }
  if (flags.isolation) {
    const latencies = await measureIsolation({
      rounds,
      seconds,
      perSecond,
      holes: numberFlag('holes', flags.holes, 1),
      backlog: numberFlag('hole-backlog', flags['hole-backlog'], 1),
      show,
      ended,
    });
    process.stdout.write(isolationReport(latencies));
    return;
  }
  if (flags.failover) {
    process.stdout.write(failoverReport(await measureFailover({ rounds, webhooks, show, ended })));
    return;
  }
  const variant = (Object.keys(variants) as Variant[]).find((name) => flags[name]);
  if (variant) {
    const due = numberFlag('due', flags.due, 0);
    const finished = numberFlag('finished', flags.finished, 0);
    const allWebhooks = numberFlag('all', flags.all, 1_000);
    const of = { variant, rounds, deliveries, webhooks, due, finished, allWebhooks, dueWebhooks: 200 };
    process.stdout.write(variantReport(variant, await measureVariant({ ...of, show, ended })));
    return;
  }
  let warmAt = 0;
  const costs = await compare({
    peers: flags.only.split(',').map((name) => choiceFlag('only', name, peers)),
    rounds,
    deliveries,
    webhooks,
    nodeFlags: flags.profile ? profileFlags('webhook') : [],
    show,
    onWarm: () => {
      warmAt = profileClock();
    },
    ended,
  });
  process.stdout.write(comparisonReport(costs));
  if (flags.profile) process.stdout.write(await profileReport('webhook', warmAt));
});
