import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const spanId = 'b7ad6b7169203331';

/** What is passed on from inside of a span, and from inside of a span in that. */
type PassedOn = [outer: string, inner: string];

// The SDK is one for a process, and reads its variables from the environment: a process each, which does not wait for
// its exporter.
async function propagatedWith(variables: NodeJS.ProcessEnv): Promise<PassedOn[]> {
  const program = `
    import { currentTraceparent, inSpan, SpanKind, startTelemetry } from
      ${JSON.stringify(resolve(import.meta.dirname, 'telemetry.ts'))};
    await startTelemetry('test', process.env, { warn: (fault) => console.error(JSON.stringify(fault)) });
    const inner = () => inSpan('inner', {}, async () => currentTraceparent());
    const request = (parent) =>
      inSpan('outer', { kind: SpanKind.SERVER, parent }, async () => [currentTraceparent(), await inner()]);
    const given = [undefined, '00-${traceId}-${spanId}-01', '00-${traceId}-${spanId}-00'];
    console.log(JSON.stringify(await Promise.all(given.map(request))));
    process.exit();`;
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '-e', program],
    {
      env: { PATH, NODE_COMPILE_CACHE, OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', ...variables },
    },
  );
  expect(stderr).toBe('');
  const [none, sampled, unsampled] = JSON.parse(stdout) as PassedOn[];
  return [none, sampled, unsampled].map((one) => one ?? ['', '']);
}

test.concurrent.each([
  [undefined, undefined, ['01', '01', '00']],
  ['always_on', undefined, ['01', '01', '01']],
  ['always_off', undefined, ['00', '00', '00']],
  ['parentbased_always_on', undefined, ['01', '01', '00']],
  ['parentbased_always_off', undefined, ['00', '01', '00']],
  ['traceidratio', '0', ['00', '00', '00']],
  ['traceidratio', '1', ['01', '01', '01']],
  ['parentbased_traceidratio', '0', ['00', '01', '00']],
  ['parentbased_traceidratio', '1', ['01', '01', '00']],
])('the sampler %s (%s) decides, and its decision is propagated', async (name, argument, flags) => {
  const propagated = await propagatedWith({
    ...(name && { OTEL_TRACES_SAMPLER: name }),
    ...(argument && { OTEL_TRACES_SAMPLER_ARG: argument }),
  });
  expect(propagated.map(([outer]) => outer.slice(-2))).toEqual(flags);
  for (const [index, [outer, inner]] of propagated.entries()) {
    if (index > 0) expect(outer).toContain(`00-${traceId}-`);
    expect(outer).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-0[01]$/);
    expect(inner.slice(0, 36)).toBe(outer.slice(0, 36));
    expect(inner).not.toBe(outer);
    expect(inner.slice(-2)).toBe(outer.slice(-2));
  }
});

test.concurrent.each(['none', ' none '])(
  'with the exporter "%s" there is no warning, and trace ids are propagated as without one',
  async (exporter) => {
    const [none, sampled, unsampled] = await propagatedWith({ OTEL_TRACES_EXPORTER: exporter });
    expect(none?.[0]).toMatch(/^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-00$/);
    expect(sampled?.[0]).toBe(`00-${traceId}-${spanId}-01`);
    expect(unsampled?.[0]).toBe(`00-${traceId}-${spanId}-00`);
  },
);
