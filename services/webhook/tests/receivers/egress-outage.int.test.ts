import { fork, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { eventually } from '@parley/testing/eventually';
import { freePort } from '@parley/testing/servers/ports';
import { startReceiver } from '@parley/testing/peers/receiver';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { completed, type System, startSystem } from '../system.ts';

/** A proxy in its own process. Killing it cuts all of its connections. */
async function startProxyProcess(port: number) {
  const child = fork(new URL('./proxy-process.ts', import.meta.url), [String(port)]);
  const exited = once(child, 'exit');
  const [url] = (await once(child, 'message')) as [string];
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await exited;
  };
  return { url, kill, [Symbol.asyncDispose]: kill };
}

/** The service in its own process, which sends through a proxy, and its log. */
function startSending(system: System, proxyUrl: string) {
  const main = join(import.meta.dirname, '../../src/main.ts');
  const env = { ...process.env, ...system.env, WEBHOOK_EGRESS_PROXY: proxyUrl };
  const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const logged: string[] = [];
  createInterface(child.stdout).on('line', (line) => logged.push(JSON.parse(line).msg));
  return {
    /** How often it has logged a message. */
    times: (message: string): number => logged.filter((one) => one === message).length,
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGTERM');
      await exited;
    },
  };
}

const outage = 'nothing can be sent because of a fault on our side: deliveries wait';
const recovery = 'the egress outage is over';

test('while the proxy is unavailable deliveries wait and no attempt is counted; then all are sent at once', async () => {
  await using system = await startSystem();
  // The last batch is answered when the proxy has died, so it dies in the middle of the batch.
  const mayAnswer = Promise.withResolvers<void>();
  await using receiver = await startReceiver(async (_request, index) => {
    if (index >= 130) await mayAnswer.promise;
    return { status: 200 };
  });
  const workspaceIds = Array.from({ length: 20 }, () => randomUUID());
  for (const workspaceId of workspaceIds) await system.createWebhook({ workspaceId, url: receiver.url });
  const raise = (each: number): Promise<void> =>
    system.raise(
      workspaceIds.flatMap((workspaceId) => Array.from({ length: each }, () => completed({ workspaceId }))),
    );
  const webhookIds = () => new Set(receiver.requests.map((request) => request.headers['webhook-id']));
  /** Open deliveries, claimed deliveries, and their attempts. */
  const counts = async () => {
    const { rows } = await sql<{ open: number; claimed: number; attempts: number }>`
      select count(*)::int as open, count(claimed_by)::int as claimed, coalesce(sum(attempts), 0)::int as attempts
      from open_delivery`.execute(system.db);
    return rows[0];
  };
  await system.stopFirst();
  const port = await freePort();
  await using proxy = await startProxyProcess(port);
  await using sending = startSending(system, proxy.url);
  await raise(1);
  await eventually(() => expect(webhookIds().size).toBe(20));
  await eventually(async () => expect(await counts()).toMatchObject({ open: 0 }));

  await proxy.kill();
  await raise(5);
  await eventually(() => expect(sending.times(outage)).toBe(1));
  await eventually(async () => expect(await counts()).toEqual({ open: 100, claimed: 0, attempts: 0 }));
  {
    await using _ = await startProxyProcess(port);
    // The pauses between probes double.
    await eventually(() => expect(webhookIds().size).toBe(120));
    expect(receiver.requests).toHaveLength(120);
    await eventually(async () => expect(await counts()).toMatchObject({ open: 0 }));
    const attempts = await system.db.selectFrom('everyAttempt').select(['number', 'error']).execute();
    expect(attempts).toEqual(Array.from({ length: 120 }, () => ({ number: 1, error: null })));
    expect([sending.times(outage), sending.times(recovery)]).toEqual([1, 1]);

    // This time it dies in the middle.
    await raise(5);
    await eventually(() => expect(webhookIds().size).toBeGreaterThan(130));
  }
  mayAnswer.resolve();
  await eventually(() => expect(sending.times(outage)).toBe(2));
  await using _ = await startProxyProcess(port);
  await eventually(() => expect(webhookIds().size).toBe(220));
  expect(sending.times('a delivery could not be attempted')).toBe(0);
  expect(sending.times('breaker changed state')).toBe(0);
});
