import { setImmediate, setTimeout as pause } from 'node:timers/promises';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Agent, request } from 'undici';
import { fill } from './setup/contents.ts';
import { startDeployment, subjectOf } from './setup/deployment.ts';
import { numberFlag, readFlags, runBenchmark, show } from './setup/flags.ts';
import { interactionId } from './setup/seed.ts';
import { apart } from './setup/processors.ts';
import { quantile, randomGapMs } from './measure/statistics.ts';

const help = `Measures what more calls do than the system can answer: npm run bench:overload -- [FLAGS]

  --seconds N   duration of the overload (120)
  --help        this text

Measures how many calls of GET interaction per second 32 connections get answered. Then calls come
at random moments: at half of that rate, at twice that rate, and at half again.
Targets: the p99 of answered calls at most 3 times that at half the rate, refusals (503 with
Retry-After) within 100 ms, and no refusal 5 s after the end. The client has the first processor,
and the system all others.
`;

interface Phase {
  sent: number;
  refused: number;
  /** Anything but 200 and a proper 503. */
  failed: number;
  answeredMs: Float64Array;
  refusedMs: Float64Array;
  /** How late the client itself was at most: so much of a time can be its own. */
  clientLateMs: number;
}

const sizes = { customers: 1_000, interactions: 20_000, conversations: 0, bots: 1 };
const quietSeconds = 20;
const recoverySeconds = 5;

await runBenchmark(async (ended) => {
  const flags = readFlags({
    seconds: { type: 'string', default: '120' },
    help: { type: 'boolean', short: 'h', default: false },
  });
  if (flags.help) return void process.stdout.write(help);
  const seconds = numberFlag('seconds', flags.seconds, 5);
  await using deployment = await apart(() => startDeployment({ show, ended }));
  const contents = await fill(deployment, sizes, show);
  const { authorization, port } = subjectOf('overload', deployment, contents);
  await using stack = new AsyncDisposableStack();
  const dispatcher = stack.adopt(new Agent({ connections: null }), (agent) => agent.destroy());
  const read = async (
    phase: Omit<Phase, 'answeredMs' | 'refusedMs' | 'clientLateMs'> &
      Record<'answered' | 'refusals', number[]>,
  ) => {
    const id = interactionId(1 + Math.floor(Math.random() * sizes.interactions));
    const startedAt = performance.now();
    phase.sent += 1;
    try {
      const url = `http://127.0.0.1:${port}/v1/workspaces/${contents.workspaceId}/interactions/${id}`;
      const { statusCode, headers, body } = await request(url, { dispatcher, headers: { authorization } });
      await body.dump();
      const tookMs = performance.now() - startedAt;
      if (statusCode === 200) phase.answered.push(tookMs);
      else if (statusCode === 503 && headers['retry-after'] !== undefined) {
        phase.refused += 1;
        phase.refusals.push(tookMs);
      } else phase.failed += 1;
    } catch {
      phase.failed += 1;
    }
  };
  const measure = async (run: (call: () => Promise<void>) => Promise<void>): Promise<Phase> => {
    const phase = { sent: 0, refused: 0, failed: 0, answered: [] as number[], refusals: [] as number[] };
    const delay = monitorEventLoopDelay({ resolution: 10 });
    delay.enable();
    await run(() => read(phase));
    delay.disable();
    const { answered, refusals, ...counts } = phase;
    const sorted = (values: number[]) => Float64Array.from(values).sort();
    const clientLateMs = delay.max / 1e6 - 10;
    return { ...counts, answeredMs: sorted(answered), refusedMs: sorted(refusals), clientLateMs };
  };
  const atRate = (perSecond: number, forSeconds: number) =>
    measure(async (call) => {
      const calls: Promise<void>[] = [];
      const startedAt = performance.now();
      for (let atMs = 0; atMs < forSeconds * 1_000; atMs += randomGapMs(perSecond)) {
        const waitMs = startedAt + atMs - performance.now();
        // Also when it is late, answers must be read.
        await (waitMs > 1 ? pause(waitMs, undefined, { signal: ended }) : setImmediate());
        calls.push(call());
      }
      await Promise.all(calls);
    });
  const inTurn = (forSeconds: number) =>
    measure(async (call) => {
      const endsAt = performance.now() + forSeconds * 1_000;
      const connection = async (): Promise<void> => {
        while (performance.now() < endsAt) await call();
      };
      await Promise.all(Array.from({ length: 32 }, connection));
    });

  show('warming up');
  await inTurn(5);
  show('measuring the capacity');
  const capacity = (await inTurn(5)).answeredMs.length / 5;
  const lines = [`capacity: ${capacity.toFixed(0)} calls/s`];
  const add = (name: string, { sent, refused, failed, answeredMs, refusedMs, clientLateMs }: Phase): void => {
    const p = (values: Float64Array, share: number) => `${quantile(values, share).toFixed(1)} ms`;
    lines.push(
      `${name}: ${sent} sent, ${refused} refused, ${failed} failed; answered p50 ${p(answeredMs, 0.5)}, ` +
        `p99 ${p(answeredMs, 0.99)}; refused p50 ${p(refusedMs, 0.5)}, p99 ${p(refusedMs, 0.99)}; ` +
        `client late by at most ${clientLateMs.toFixed(1)} ms`,
    );
  };
  show('half the rate');
  const before = await atRate(capacity / 2, quietSeconds);
  add('half the rate', before);
  show('twice the rate');
  const over = await atRate(capacity * 2, seconds);
  add('twice the rate', over);
  await atRate(capacity / 2, recoverySeconds);
  const after = await atRate(capacity / 2, quietSeconds);
  add(`half the rate, ${recoverySeconds} s later`, after);
  const ratio = quantile(over.answeredMs, 0.99) / quantile(before.answeredMs, 0.99);
  lines.push(`p99 of answered calls, to that at half the rate: ${ratio.toFixed(1)}`);
  process.stdout.write(`${lines.join('\n')}\n`);
});
