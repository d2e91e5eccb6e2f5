import { databaseServices } from '@parley/contracts/services';
import { eventually } from '@parley/testing/eventually';
import { type Balancer, startHaproxy } from '@parley/testing/servers/haproxy';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Faulty } from './system.ts';

interface Readiness {
  status: number;
  detail: string;
  data: { unavailable: string[] } | null;
}

/** Tests of `/readyz` while what the gateway needs is frozen. */
export function probeTests(faulty: () => Faulty): void {
  const stack = new AsyncDisposableStack();
  let balancer: Balancer | string;
  beforeAll(async () => {
    balancer = await startHaproxy(stack, new URL(faulty().system.local().baseUrl).host);
  });
  afterAll(() => stack.disposeAsync());

  const probe = async (): Promise<Readiness> => {
    const response = await fetch(`${faulty().system.local().baseUrl}/readyz`);
    const { detail, data } = (await response.json()) as Readiness;
    return { status: response.status, detail, data };
  };
  const allServe = () =>
    eventually(async () => expect(await probe()).toMatchObject({ status: 200, data: { unavailable: [] } }));

  /** Probes until it answers so. Returns how long each answer took, in ascending order. */
  async function probeUntil(expected: Partial<Readiness>): Promise<number[]> {
    const tookMs: number[] = [];
    await eventually(async () => {
      const startedAtMs = performance.now();
      const answer = await probe();
      tookMs.push(performance.now() - startedAtMs);
      expect(answer).toMatchObject(expected);
    });
    return tookMs.toSorted((a, b) => a - b);
  }

  const probeMsMax = 1_000;
  /** The limit of HAProxy holds for most answers, also on a busy machine. A call to the frozen one takes far longer. */
  function expectInTime(tookMs: number[]): void {
    expect(tookMs[Math.floor(tookMs.length / 2)]).toBeLessThan(probeMsMax);
    expect(tookMs.at(-1)).toBeLessThan(10_000);
  }

  test.each([...databaseServices, 'nats'])(
    'while %s is frozen, /readyz answers 200 within a second, and names it if calls need it',
    async (name) => {
      const { processes } = faulty();
      await allServe();
      const pid = processes.pidOf(name);
      processes.freeze(pid);
      const isNamed = { status: 200, data: { unavailable: name === 'nats' ? [] : [name] } };
      expectInTime(await probeUntil(isNamed));
      processes.thaw(pid);
      await allServe();
    },
  );

  test('while Postgres is frozen, /readyz answers 503 within a second, and names all services', async () => {
    const { processes } = faulty();
    await allServe();
    await processes.end('postgres', 'SIGQUIT');
    const pid = processes.pidOf('postgres');
    processes.freeze(pid);
    const detail = `Not available at the moment: ${databaseServices.join(', ')}`;
    expectInTime(await probeUntil({ status: 503, detail }));
    processes.thaw(pid);
    await allServe();
  });

  test('while all but a needed service are frozen, the shipped balancer sends requests to the gateway', async ({
    skip,
  }) => {
    if (typeof balancer === 'string') return skip(balancer);
    const { readyGateways, url } = balancer;
    const { processes } = faulty();
    await allServe();
    await eventually(async () => expect(await readyGateways()).toBe(1));
    const frozen = [...databaseServices.filter((name) => name !== 'identity'), 'nats'];
    const pids = frozen.map((name) => processes.pidOf(name));
    for (const pid of pids) processes.freeze(pid);
    // Longer than two checks with their intervals and limits, which take a gateway out.
    const endsAtMs = performance.now() + 9_000;
    const counts = new Set<number>();
    await eventually(async () => {
      counts.add(await readyGateways());
      if (performance.now() < endsAtMs) throw new Error('there were too few checks');
    });
    expect([...counts]).toEqual([1]);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    for (const pid of pids) processes.thaw(pid);
    await allServe();
  });
}
