import type { ProvisionOptions } from '@parley/postgres/provision';
import type { UnprovisionOptions } from '@parley/postgres/unprovision';
import type { Demo, OperatorAccess } from './demo.ts';

// The process of one errand: see `errand.ts`. What an errand needs is loaded by it, so that no other pays for it.

interface DemoOptions {
  dataDir: string;
  baseUrl: string;
  operator: OperatorAccess;
  rpcToken: string;
}

/** Aborted when nobody waits for the answer of a fetch any more. */
const givenUp = new AbortController();

const errands = {
  provision: async (options: ProvisionOptions): Promise<void> => {
    const { provision } = await import('@parley/postgres/provision');
    await provision(options);
  },

  unprovision: async (options: UnprovisionOptions): Promise<void> => {
    const { unprovision } = await import('@parley/postgres/unprovision');
    await unprovision(options);
  },

  fetchNatsServer: async ({ binDir }: { binDir: string }): Promise<string> => {
    const { fetchNatsServer } = await import('./nats-fetch.ts');
    return fetchNatsServer(binDir, givenUp.signal);
  },

  makeDemo: async (options: DemoOptions): Promise<{ demo: Demo; linkToken: string }> => {
    const { dataDir, baseUrl, operator, rpcToken } = options;
    const { ensureDemo } = await import('./demo.ts');
    const { ensureWelcome } = await import('./welcome.ts');
    const { ensureShop } = await import('./shop.ts');
    const { writeDocsExamples } = await import('./docs-examples.ts');
    const demo = await ensureDemo(dataDir, baseUrl, operator);
    const welcome = await ensureWelcome(dataDir, operator, rpcToken, demo);
    await ensureShop(dataDir, operator, rpcToken, demo);
    await writeDocsExamples(dataDir, baseUrl, demo, welcome);
    return { demo, linkToken: welcome.linkToken };
  },
};

/** The errands by name. What goes in and out is JSON. */
export type Errands = typeof errands;

/** What the process is told, once. */
export type Task = {
  [Name in keyof Errands]: { name: Name; input: Parameters<Errands[Name]>[0] };
}[keyof Errands];

/** What it answers, once. */
export type Answer = { result: unknown } | { failure: string };

async function answerTo(task: Task): Promise<Answer> {
  try {
    return { result: await done(task) };
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) };
  }
}

function done(task: Task): Promise<unknown> {
  switch (task.name) {
    case 'provision':
      return errands.provision(task.input);
    case 'unprovision':
      return errands.unprovision(task.input);
    case 'fetchNatsServer':
      return errands.fetchNatsServer(task.input);
    case 'makeDemo':
      return errands.makeDemo(task.input);
  }
}

/** Does the task and answers; the process ends when its answer has been taken, or nobody waits for it any more. */
async function run(task: Task): Promise<void> {
  const quit = (): never => process.exit();
  // A fetch has something to tidy up.
  process.once('disconnect', task.name === 'fetchNatsServer' ? () => givenUp.abort() : quit);
  const answer = await answerTo(task);
  if (givenUp.signal.aborted) quit();
  process.once('disconnect', quit);
  process.send?.(answer);
}

process.once('message', (task: Task) => void run(task));
