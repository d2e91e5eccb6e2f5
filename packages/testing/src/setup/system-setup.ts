import type { OperatorAccess } from '@parley/local/demo/demo';
import type { LocalRun } from '@parley/local/files/run-files';
import type { TestProject } from 'vitest/node';
import type { ApiDocument } from './contract.ts';
import { startTestSystem } from './system.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The `local.json` of the shared system. */
    local: LocalRun;
    operator: OperatorAccess;
    dataDir: string;
  }
}

/** Starts one system for all projects that have this setup. Tests that break a system start their own. */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const contexts = project.vitest.projects.map((other) => other.getProvidedContext());
  const started = contexts.find(({ local }) => local);
  if (started) {
    for (const key of ['local', 'openapi', 'operator', 'dataDir'] as const)
      project.provide(key, started[key]);
    return undefined;
  }
  const system = await startTestSystem({ announce: (line) => console.error(`shared system: ${line}`) });
  const local = system.local();
  const description = await fetch(`${local.baseUrl}/openapi.json`);
  project.provide('local', local);
  project.provide('openapi', (await description.json()) as ApiDocument);
  project.provide('operator', system.operator);
  project.provide('dataDir', system.dataDir);
  return async () => system[Symbol.asyncDispose]();
}
