import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { loadConfig } from '../config/config.ts';

const moduleUrl = (name: string): string => JSON.stringify(resolve(import.meta.dirname, name));
const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331';

const { PATH, NODE_COMPILE_CACHE } = process.env;
/** The environment of each process, without telemetry variables. */
const baseEnv = { PATH, NODE_COMPILE_CACHE };

/** Measures a second in a sampled trace, and two in one that is not. */
const measuring = `
  import { counter, histogram, isRecording, observedGauge } from ${moduleUrl('metrics.ts')};
  import { inSpan, startTelemetry } from ${moduleUrl('../telemetry/telemetry.ts')};
  const stop = await startTelemetry('test', process.env, { warn: (fields) => console.log(JSON.stringify(fields)) });
  const taken = histogram({ name: 'of.a.test.taken', description: 'Of a "test"\\nin lines', attributes: ['way'] });
  const seen = counter({ name: 'of.a.test.seen', unit: '{thing}', description: 'Things' });
  const broken = observedGauge({ name: 'of.a.test.broken', unit: '1', description: 'Broken' });
  let reads = 0;
  broken.observe((report) => {
    reads += 1;
    if (reads > 1) throw new Error('is broken');
    report(0.5);
  });
  const share = observedGauge({ name: 'of.a.test.share', unit: '1', description: 'A share' });
  const observing = share.observe(async (report) => report(0.25));
  const slow = observedGauge({ name: 'of.a.test.slow', unit: '1', description: 'Slow' });
  slow.observe(async (report) => {
    await new Promise((resolve) => setTimeout(resolve, 50));
    report(0.75);
  });
  seen.add({});
  for (const [seconds, flags] of [[1, '01'], [2, '00']])
    await inSpan('work', { parent: '${traceparent}-' + flags }, async () => taken.record(seconds, { way: 'a "b" \\\\' }));
  console.log('recording', isRecording());
`;

async function freePort(): Promise<number> {
  const server = createTcpServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

/** Runs the program until it has measured. Disposing stops it. */
async function startMeasuring(env: NodeJS.ProcessEnv) {
  // Stopping waits for at most a second. The process ends when everything is exported.
  const program = `${measuring}process.stdin.once('end', stop).resume();`;
  const args = ['--input-type=module', '-e', program];
  const child = spawn(process.execPath, args, {
    env: { ...baseEnv, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  await once(child.stdout, 'data');
  return {
    [Symbol.asyncDispose]: async () => {
      child.stdin.end();
      await exited;
    },
  };
}

test.concurrent('metrics are served as text, with units in names and sampled traces as exemplars', async () => {
  const port = await freePort();
  await using _running = await startMeasuring({ METRICS_LISTEN: `127.0.0.1:${port}` });
  const url = `http://127.0.0.1:${port}/metrics`;
  const plain = await fetch(url);
  expect(plain.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  const served = await plain.text();
  expect(served).toContain('# TYPE of_a_test_seen_total counter\n');
  expect(served).toContain('\nof_a_test_seen_total 1\n');
  expect(served).toContain('\nof_a_test_share_ratio 0.25\n');
  expect(served).toContain('# HELP of_a_test_taken_seconds Of a \\"test\\"\\nin lines\n');
  expect(served).toContain('of_a_test_taken_seconds_bucket{way="a \\"b\\" \\\\",le="1.0"} 1\n');
  expect(served).toContain('of_a_test_taken_seconds_bucket{way="a \\"b\\" \\\\",le="+Inf"} 2\n');
  expect(served).toContain('of_a_test_taken_seconds_sum{way="a \\"b\\" \\\\"} 3\n');
  expect(served).toContain('\nof_a_test_broken_ratio 0.5\n');
  expect(served).not.toContain('trace_id');

  const open = await fetch(url, {
    headers: { accept: 'application/openmetrics-text;version=1.0.0,*/*;q=0.1' },
  });
  expect(open.headers.get('content-type')).toMatch(/^application\/openmetrics-text; version=1\.0\.0/);
  const lines = (await open.text()).split('\n');
  expect(lines).toContain('# TYPE of_a_test_seen counter');
  expect(lines).toContain('of_a_test_share_ratio 0.25');
  // It could not be read the second time.
  expect(lines.filter((line) => line.startsWith('of_a_test_broken'))).toEqual([]);
  const exemplars = lines.filter((line) => line.includes('trace_id'));
  expect(exemplars).toEqual([
    expect.stringMatching(
      /le="1\.0"\} 1 # \{trace_id="0af7651916cd43dd8448eb211c80319c",span_id="\w{16}"\} 1 \d+/,
    ),
  ]);
  expect(lines.slice(-2)).toEqual(['# EOF', '']);
});

test.concurrent('scrapes at the same time get all metrics', async () => {
  const port = await freePort();
  await using _running = await startMeasuring({ METRICS_LISTEN: `127.0.0.1:${port}` });
  const scrape = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const first = scrape();
  await setTimeout(20);
  for (const served of await Promise.all([first, scrape()])) {
    expect(served).toContain('\nof_a_test_share_ratio 0.25\n');
    expect(served).toContain('\nof_a_test_slow_ratio 0.75\n');
  }
});

test.concurrent('metrics go over OTLP and are served at once', async () => {
  const bodies: string[] = [];
  const collector = createServer((request, response) => {
    void text(request).then((body) => {
      if (request.url === '/v1/metrics') bodies.push(body);
      response.end('{}');
    });
  }).listen(0, '127.0.0.1');
  await once(collector, 'listening');
  const port = await freePort();
  const running = await startMeasuring({
    METRICS_LISTEN: `127.0.0.1:${port}`,
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    // Not an interval: the default applies.
    OTEL_METRIC_EXPORT_INTERVAL: '-1',
  });
  expect(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()).toContain('of_a_test_seen_total 1');
  // The last export is at the stop.
  await running[Symbol.asyncDispose]();
  collector.close();
  expect(bodies.join()).toContain('"of.a.test.taken"');
  expect(bodies.join()).toContain('"service.version"');
});

test.concurrent('without an exporter nothing is recorded', async () => {
  const program = `${measuring}
    await stop();`;
  const args = ['--input-type=module', '-e', program];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: baseEnv });
  expect(stdout).toBe('recording false\n');
});

test('an invalid address is a configuration fault', () => {
  const read = () => loadConfig(z.object({}), { METRICS_LISTEN: '9464' });
  expect(read).toThrow('METRICS_LISTEN: must be host:port');
  expect(loadConfig(z.object({}), { METRICS_LISTEN: '' })).toEqual({});
});
