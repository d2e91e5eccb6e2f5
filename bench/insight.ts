import { setTimeout as pause } from 'node:timers/promises';
import { fill } from './setup/contents.ts';
import { startDeployment, subjectOf } from './setup/deployment.ts';
import { numberFlag, readFlags, runBenchmark, show } from './setup/flags.ts';
import { type HttpAnswer, type HttpClient, openHttpClient } from './noise/http.ts';
import { quantile } from './measure/statistics.ts';
import type { Subject } from './setup/subject.ts';
import type { Watched } from './waiting/browsers.ts';
import { conversationsOf } from './waiting/conversations.ts';

const help = `usage: npm run bench:insight -- [FLAGS]

Measures how old the figures of insight are while conversations are completed, each by two
answers.

  --rate N      completions per second (200)
  --seconds N   duration (60)
  --json        prints one JSON value
  --help        this text
`;

/** The seeded conversations were created within this time. */
const windowMs = 200 * 86_400_000;
const sampleEveryMs = 500;
const catchUpMsMax = 120_000;
const callMsMax = 30_000;
const targetSeconds = 10;

interface Outcome {
  /** Completions per second that were reached. */
  completedPerSecond: number;
  faults: string[];
  /** From `asOf` to the answer that has it. */
  ageSeconds: { p50: number; max: number };
  /** The duration of a read of the figures. */
  readMs: { p50: number; max: number };
  /** Reads that got a 503. */
  refusedReads: number;
  /** From the last completion to figures with all. */
  caughtUpSeconds: number;
}

await runBenchmark(async (ended) => {
  const flags = readFlags({
    rate: { type: 'string', default: '200' },
    seconds: { type: 'string', default: '60' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  });
  if (flags.help) {
    process.stdout.write(help);
    return;
  }
  const rate = numberFlag('rate', flags.rate, 1);
  const count = rate * numberFlag('seconds', flags.seconds, 1);
  await using deployment = await startDeployment({ show, ended });
  const sizes = { customers: count, interactions: 0, conversations: count, bots: 1 };
  const subject = subjectOf('parley', deployment, await fill(deployment, sizes, show));
  const conversations = await conversationsOf(subject);
  using client = openHttpClient(subject.port);
  const reads = openReads(subject, client, ended);

  show('waiting for the first figures');
  await reads.until(0);
  show(`completing ${rate} conversations a second`);
  const over = new AbortController();
  const load = completeAll(conversations, { rate, client, ended }).finally(() => over.abort());
  const sampling = reads.sampleUntil(over.signal);
  const [{ completed, took, faults, endedAt }] = await Promise.all([load, sampling]);
  show('catching up');
  await reads.until(completed);
  const caughtUpSeconds = (performance.now() - endedAt) / 1_000;
  const outcome: Outcome = {
    completedPerSecond: completed / took,
    faults,
    ...reads.figures(),
    caughtUpSeconds,
  };
  process.stdout.write(flags.json ? `${JSON.stringify(outcome, null, 2)}\n` : reportOf(outcome));
});

interface Load {
  /** Completions per second. */
  rate: number;
  client: HttpClient;
  ended: AbortSignal;
}

/** Completes the conversations at the rate, whatever the answers. */
async function completeAll(conversations: readonly Watched[], { rate, client, ended }: Load) {
  const faults: string[] = [];
  const startedAt = performance.now();
  const complete = async ({ path, authorization }: Watched): Promise<number> => {
    const say = async (stepId: string, expectedSeq: number, answer: object): Promise<HttpAnswer> => {
      const body = JSON.stringify({ clientMessageId: stepId, expectedSeq, stepId, answer });
      const call = {
        method: 'POST',
        path: `${path}/messages`,
        headers: { Authorization: authorization },
        body,
      };
      const said = await client.send(call, { signal: AbortSignal.timeout(callMsMax), wantsText: true });
      if (said.status !== 200) throw new Error(`${said.status}: ${said.text}`);
      return said;
    };
    try {
      const { text } = await say('score', 2, { value: 9 });
      const { data } = JSON.parse(text) as { data: { seq: number; input: { stepId: string } } };
      await say(data.input.stepId, data.seq, { text: 'It does what it says.' });
      return 1;
    } catch (error) {
      faults.push((error as Error).message);
      return 0;
    }
  };
  const running: Promise<number>[] = [];
  for (const conversation of conversations) {
    const waitMs = startedAt + (running.length * 1_000) / rate - performance.now();
    if (waitMs > 0) await pause(waitMs, undefined, { signal: ended });
    running.push(complete(conversation));
  }
  const completed = (await Promise.all(running)).reduce((sum, one) => sum + one, 0);
  const endedAt = performance.now();
  return { completed, took: (endedAt - startedAt) / 1_000, faults, endedAt };
}

/** Reads the figures of the bot, and keeps how old they were. */
function openReads({ contents, authorization }: Subject, client: HttpClient, ended: AbortSignal) {
  const ages: number[] = [];
  const durations: number[] = [];
  let refused = 0;
  const path = `/v1/workspaces/${contents.workspaceId}/bots/${contents.botIds[0] ?? ''}/insight`;
  /** Undefined while the figures are built for the first time, or when the machine is too busy to answer. */
  const read = async (): Promise<{ asOf: string; totals: { completed: number } } | undefined> => {
    const to = Date.now();
    const query = new URLSearchParams({
      from: new Date(to - windowMs).toISOString(),
      to: new Date(to).toISOString(),
    });
    const call = {
      method: 'GET',
      path: `${path}?${query.toString()}`,
      headers: { Authorization: authorization },
    };
    const { status, text } = await client.send(call, { signal: ended, wantsText: true });
    if (status === 503) return undefined;
    if (status !== 200) throw new Error(`insight answers ${status}: ${text}`);
    durations.push(Date.now() - to);
    return (JSON.parse(text) as { data: { asOf: string; totals: { completed: number } } }).data;
  };
  return {
    sampleUntil: async (over: AbortSignal): Promise<void> => {
      while (!over.aborted) {
        const figures = await read();
        if (!figures) refused += 1;
        else ages.push((Date.now() - Date.parse(`${figures.asOf}Z`)) / 1_000);
        await pause(sampleEveryMs, undefined, { signal: ended });
      }
    },
    /** Waits until there are figures, with this many completions. */
    until: async (completed: number): Promise<void> => {
      const startedAt = performance.now();
      while (((await read())?.totals.completed ?? -1) < completed) {
        if (performance.now() - startedAt > catchUpMsMax) throw new Error('the figures do not catch up');
        await pause(sampleEveryMs, undefined, { signal: ended });
      }
    },
    figures: (): Pick<Outcome, 'ageSeconds' | 'readMs' | 'refusedReads'> => ({
      refusedReads: refused,
      ageSeconds: spreadOf(ages),
      readMs: spreadOf(durations),
    }),
  };
}

function spreadOf(values: readonly number[]): { p50: number; max: number } {
  const sorted = Float64Array.from(values).sort();
  return { p50: quantile(sorted, 0.5), max: sorted.at(-1) ?? Number.NaN };
}

function reportOf(outcome: Outcome): string {
  const { completedPerSecond, faults, ageSeconds, readMs, refusedReads, caughtUpSeconds } = outcome;
  const isComplete = faults.length === 0 && refusedReads === 0;
  const verdict = isComplete && ageSeconds.max <= targetSeconds ? 'met' : 'NOT MET';
  return `${[
    `${completedPerSecond.toFixed(0)} completions per second`,
    `age of the figures   p50 ${ageSeconds.p50.toFixed(1)} s, max ${ageSeconds.max.toFixed(1)} s  at most ${targetSeconds}: ${verdict}`,
    `a read of them       p50 ${readMs.p50.toFixed(0)} ms, max ${readMs.max.toFixed(0)} ms, ${refusedReads} refused`,
    `all counted          ${caughtUpSeconds.toFixed(1)} s after the last completion`,
    ...(faults.length > 0 ? [`FAULTS: ${faults.length}, such as ${faults[0] ?? ''}`] : []),
  ].join('\n')}\n`;
}
