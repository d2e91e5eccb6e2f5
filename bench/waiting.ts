import { setTimeout as pause } from 'node:timers/promises';
import { fill } from './setup/contents.ts';
import { startDeployment, subjectOf } from './setup/deployment.ts';
import { numberFlag, readFlags, runBenchmark, show } from './setup/flags.ts';
import { openClient } from './growth/client.ts';
import { memoryOf } from './measure/memory.ts';
import { busyTime } from './measure/processor-time.ts';
import { quantile, randomGapMs } from './measure/statistics.ts';
import type { Subject } from './setup/subject.ts';
import { type Browsers, openBrowsers, type Watched } from './waiting/browsers.ts';
import { conversationsOf } from './waiting/conversations.ts';

const help = `usage: npm run bench:waiting -- [FLAGS]

Measures the cost of browsers that wait for changes of their conversations.

  --browsers N   browsers at one gateway process (2000)
  --seconds N    duration of the measurement (50: each poll ends twice)
  --messages N   messages after that, 20 per second (400)
  --json         prints one JSON value
  --help         this text
`;

/** The entries of a seeded conversation. */
const seqAtFirst = 2;
const messagesPerSecond = 20;
const openingMs = 10_000;
/** One poll. Afterwards each browser has warmed up the code. */
const settlingMs = 27_000;
const targetBytes = 200e6;

interface Outcome {
  browsers: number;
  gatewayBytes: { before: number; waiting: number };
  /** Polls that have ended, per second. */
  pollsPerSecond: number;
  /** Milliseconds of processor time per second, by process. */
  processorMs: Record<string, number>;
  processorsBusyElsewhere: number;
  /** Milliseconds until the waiting browser gets the change, from the message and from its answer. */
  sinceSent: { p50: number; p99: number };
  sinceAnswered: { p50: number; p99: number };
  messages: number;
  faults: string[];
}

await runBenchmark(async (ended) => {
  const flags = readFlags({
    browsers: { type: 'string', default: '2000' },
    seconds: { type: 'string', default: '50' },
    messages: { type: 'string', default: '400' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  });
  if (flags.help) {
    process.stdout.write(help);
    return;
  }
  const count = numberFlag('browsers', flags.browsers, 1);
  const seconds = numberFlag('seconds', flags.seconds, 1);
  const messages = Math.min(numberFlag('messages', flags.messages, 1), count);
  await using stack = new AsyncDisposableStack();
  const deployment = stack.use(await startDeployment({ show, ended }));
  const sizes = { customers: count, interactions: 0, conversations: count, bots: 1 };
  const contents = await fill(deployment, sizes, show);
  const subject = subjectOf('parley', deployment, contents);
  const conversations = await conversationsOf(subject);
  const { processes } = deployment.system.local();
  const gateway = processes.find(({ name }) => name === 'gateway')?.pid ?? 0;

  show('warming up');
  await readEach(subject, conversations);
  const before = memoryOf(gateway);

  show(`${count} browsers begin to wait`);
  const browsers = stack.use(openBrowsers(subject.port, seqAtFirst));
  for (const conversation of conversations) {
    browsers.add(conversation);
    await pause(openingMs / count, undefined, { signal: ended });
  }
  await pause(settlingMs, undefined, { signal: ended });

  show('measuring');
  const waiting = await measureWaiting(subject, browsers, gateway, seconds, ended);
  show(`sending ${messages} messages`);
  const latencies = await measureNews(subject, browsers, conversations.slice(0, messages), ended);
  const { bytes, ...rest } = waiting;
  const gatewayBytes = { before, waiting: bytes };
  const outcome: Outcome = {
    browsers: count,
    gatewayBytes,
    ...rest,
    ...latencies,
    messages,
    faults: browsers.faults,
  };
  process.stdout.write(flags.json ? `${JSON.stringify(outcome, null, 2)}\n` : reportOf(outcome));
});

/** Reads each conversation once, which compiles the code and opens connections. */
async function readEach({ port }: Subject, conversations: readonly Watched[]): Promise<void> {
  for (const { path, authorization } of conversations) {
    using client = openClient(port, authorization);
    await client.call('GET', path);
  }
}

async function measureWaiting(
  { times }: Subject,
  browsers: Browsers,
  gateway: number,
  seconds: number,
  ended: AbortSignal,
) {
  const from = { times: times(), busy: busyTime(), answers: browsers.answers(), at: performance.now() };
  const own = process.cpuUsage();
  let bytes = 0;
  for (let second = 0; second < seconds; second += 1) {
    await pause(1_000, undefined, { signal: ended });
    bytes = Math.max(bytes, memoryOf(gateway));
  }
  const took = (performance.now() - from.at) / 1_000;
  const used = Object.entries(times()).map(([name, us]) => [name, us - (from.times[name] ?? 0)] as const);
  const { user, system } = process.cpuUsage(own);
  const known = used.reduce((sum, [, us]) => sum + us, user + system);
  return {
    bytes,
    pollsPerSecond: (browsers.answers() - from.answers) / took,
    processorMs: Object.fromEntries(used.map(([name, us]) => [name, us / 1_000 / took])),
    processorsBusyElsewhere: Math.max(0, busyTime() - from.busy - known) / 1e6 / took,
  };
}

/** The customer of each conversation answers in another tab, at a random moment. */
async function measureNews(
  { port }: Subject,
  browsers: Browsers,
  conversations: readonly Watched[],
  ended: AbortSignal,
) {
  const sinceSent: number[] = [];
  const sinceAnswered: number[] = [];
  const say = async (conversation: Watched): Promise<void> => {
    using client = openClient(port, conversation.authorization);
    const news = browsers.news(conversation);
    const body = {
      clientMessageId: 'one',
      expectedSeq: seqAtFirst,
      stepId: 'score',
      answer: { value: 9 },
    };
    const sentAt = performance.now();
    await client.call('POST', `${conversation.path}/messages`, body);
    const answeredAt = performance.now();
    const at = await news;
    sinceSent.push(at - sentAt);
    sinceAnswered.push(Math.max(0, at - answeredAt));
  };
  const saying: Promise<void>[] = [];
  for (const conversation of conversations) {
    saying.push(say(conversation));
    await pause(randomGapMs(messagesPerSecond), undefined, { signal: ended });
  }
  await Promise.all(saying);
  return { sinceSent: quantilesOf(sinceSent), sinceAnswered: quantilesOf(sinceAnswered) };
}

function quantilesOf(values: readonly number[]): { p50: number; p99: number } {
  const sorted = Float64Array.from(values).sort();
  return { p50: quantile(sorted, 0.5), p99: quantile(sorted, 0.99) };
}

function reportOf(outcome: Outcome): string {
  const { browsers, gatewayBytes, processorMs, sinceSent, sinceAnswered, faults } = outcome;
  const grown = gatewayBytes.waiting - gatewayBytes.before;
  const perThousand = (value: number): number => (value * 1_000) / browsers;
  const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
  const sum = Object.values(processorMs).reduce((total, ms) => total + ms, 0);
  const shown = Object.entries({ ...processorMs, together: sum }).map(
    ([name, ms]) =>
      `  ${name.padEnd(14)}${ms.toFixed(1).padStart(8)}${perThousand(ms).toFixed(1).padStart(14)}`,
  );
  const news = (name: string, { p50, p99 }: Outcome['sinceSent']): string =>
    `  ${name.padEnd(28)}p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`;
  return `${[
    `${browsers} browsers wait, ${outcome.pollsPerSecond.toFixed(1)} polls a second end`,
    '',
    `memory of the gateway: ${megabytes(gatewayBytes.before)} before, ${megabytes(gatewayBytes.waiting)} at most while they wait`,
    `  ${megabytes(grown)} more, ${megabytes(perThousand(grown))} per 1,000  at most ${megabytes(targetBytes)}: ${grown <= targetBytes ? 'met' : 'NOT MET'}`,
    '',
    'processor time, ms a second      per 1,000',
    ...shown,
    '',
    `news of ${outcome.messages} messages at the browser that waits`,
    news('since the message was sent', sinceSent),
    news('since it was answered', sinceAnswered),
    '',
    `processors busy elsewhere: ${outcome.processorsBusyElsewhere.toFixed(2)}`,
    ...(faults.length > 0 ? [`FAULTS: ${faults.length}, such as ${faults[0]}`] : []),
  ].join('\n')}\n`;
}
