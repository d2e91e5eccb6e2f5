import type { System } from '@parley/local/system';
import { openSqlConnection, type SqlConnection } from '@parley/testing/database/sql';
import { eventually } from '@parley/testing/eventually';
import { startTestSystem } from '@parley/testing/setup/system';
import { expect, onTestFinished } from 'vitest';
import { type Processes, processesOf } from '../system/processes.ts';

/** A system whose processes die, with one process of each service. */
export interface Faulty {
  system: System;
  processes: Processes;
  /** What it has shown on the terminal. */
  shown: string[];
}

/** Starts it. The stack ends it. */
export async function startFaulty(stack: AsyncDisposableStack): Promise<Faulty> {
  const shown: string[] = [];
  const show = (line: string): unknown => shown.push(line);
  const system = stack.use(await startTestSystem({ restartable: true, env: { LOG_LEVEL: 'info' }, show }));
  return { system, processes: processesOf(system), shown };
}

/** Longer than any call: the gateway times out after five seconds, and a busy machine can hold it up. */
export const callMsMax = 15_000;

interface Readiness {
  code: number;
  detail: string;
  data: { unavailable: string[] } | null;
}

export async function readiness(system: System): Promise<Readiness> {
  const response = await fetch(`${system.local().baseUrl}/readyz`);
  return (await response.json()) as Readiness;
}

export function isReady(system: System): Promise<void> {
  const allServe = { code: 200, data: { unavailable: [] } };
  return eventually(async () => expect(await readiness(system)).toMatchObject(allServe));
}

export async function inTime<T>(call: Promise<T>): Promise<T> {
  const startedAt = performance.now();
  const answer = await call;
  expect(performance.now() - startedAt).toBeLessThan(callMsMax);
  return answer;
}

export function adminSession(system: System): Promise<SqlConnection> {
  return openSqlConnection(system.local().postgresUrl);
}

/** Locks the table exclusively until disposal, at the latest until the test ends, also by its time-out. */
export async function lockTable(system: System, name: string): Promise<AsyncDisposable> {
  const session = await adminSession(system);
  onTestFinished(() => session[Symbol.asyncDispose]());
  await session.query('begin');
  await session.query(`lock table ${name} in access exclusive mode`);
  return session;
}
