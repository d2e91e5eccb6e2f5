import type { OperatorAccess } from '@parley/local/demo';
import type { LocalRun } from '@parley/local/run-files';
import type { TestProject } from 'vitest/node';
import type { ApiDocument } from './contract.ts';
import { startTestSystem } from './system.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** What `local.json` says of the system that the run shares. */
    local: LocalRun;
    operator: OperatorAccess;
  }
}

/** One system for all end-to-end tests but those that break it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const system = await startTestSystem({ announce: (line) => console.error(`end-to-end ${line}`) });
  const local = system.local();
  const description = await fetch(`${local.baseUrl}/openapi.json`);
  project.provide('local', local);
  project.provide('openapi', (await description.json()) as ApiDocument);
  project.provide('operator', system.operator);
  return async () => system[Symbol.asyncDispose]();
}
