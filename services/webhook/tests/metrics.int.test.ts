import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { eventually } from '@parley/testing/eventually';
import { startReceiver } from '@parley/testing/receiver';
import { expect, test } from 'vitest';
import { completed, startSystem } from './system.ts';

test('attempts by outcome, the age of what is due and open breakers are exported when telemetry is on', async () => {
  await using system = await startSystem();
  await using receiver = await startReceiver((_request, index) => ({ status: index === 0 ? 500 : 200 }));
  await using collector = await startReceiver();
  const workspaceId = randomUUID();
  await system.createWebhook({ workspaceId, url: receiver.url });
  await system.stopFirst();

  const main = join(import.meta.dirname, '../src/main.ts');
  const telemetry = {
    OTEL_EXPORTER_OTLP_ENDPOINT: new URL(collector.url).origin,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_METRICS_EXPORTER: 'otlp',
    OTEL_METRIC_EXPORT_INTERVAL: '1000',
    OTEL_METRIC_EXPORT_TIMEOUT: '1000',
  };
  const env = { ...process.env, ...system.env, ...telemetry };
  const child = spawn(process.execPath, [main], { env, stdio: 'ignore' });
  const exited = once(child, 'exit');
  await system.raise([completed({ workspaceId })]);
  const exported = (): string =>
    collector.requests
      .filter((request) => request.url.startsWith('/v1/metrics'))
      .map((request) => request.body.toString())
      .join('\n');
  await eventually(
    () => {
      const text = exported();
      for (const part of [
        'attempts',
        'attempt.duration',
        'first_attempt.delay',
        'own_faults',
        'oldest_due.age',
        'breakers.open',
        'lanes.paused',
        'egress.up',
        // The gauges exist before they have a count.
        'breaker.moves',
        'failing',
        'disabled',
      ]) {
        expect(text).toContain(`"parley.webhook.${part}"`);
      }
      for (const bound of [10, 20])
        expect(text).toMatch(new RegExp(`"explicitBounds":[^\\]]*,${bound}[,\\]]`));
      const described = text.match(/"name":"parley\.[^"]+","description":"[^"]+","unit":"[^"]+"/g);
      expect(described).toHaveLength(text.split('"name":"parley.').length - 1);
      for (const value of ['retry', 'succeeded', 'http_500']) expect(text).toContain(`"${value}"`);
    },
    { timeoutMs: 40_000 },
  );
  child.kill('SIGTERM');
  await exited;
});
