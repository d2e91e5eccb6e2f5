import { databaseServices } from '@parley/contracts/services';
import type { Command } from '@parley/local/processes/child';
import { connect } from '@parley/rpc/connect';
import { eventually } from '@parley/testing/eventually';
import {
  type ModelEndpoint,
  type ModelReply,
  startModelEndpoint,
} from '@parley/testing/peers/model-endpoint';
import type { System } from '@parley/local/system';
import { startTestSystem } from '@parley/testing/setup/system';
import { expect } from 'vitest';
import { type Processes, processesOf } from '../system/processes.ts';

/** A system with three gateways, two replicas of each service, and a model. */
export interface Replicated {
  system: System;
  processes: Processes;
  endpoint: ModelEndpoint;
  /** The model's reaction to each question. */
  model: { respond: () => ModelReply | Promise<ModelReply> };
}

/** The key of the model, which no log may contain. */
export const modelKey = 'key-of-the-model-of-a-test';

/** Starts it. The stack ends it. */
export async function startReplicated(stack: AsyncDisposableStack): Promise<Replicated> {
  const model: Replicated['model'] = { respond: () => ({ says: { label: 'price' } }) };
  const endpoint = stack.use(await startModelEndpoint(() => model.respond()));
  const system = stack.use(
    await startTestSystem({
      restartable: true,
      replicas: { ...Object.fromEntries(databaseServices.map((name) => [name, 2])), gateway: 3 },
      adapt: named,
      env: {
        LLM_BASE_URL: endpoint.baseUrl,
        LLM_API_KEY: modelKey,
        LLM_MODEL: 'model-of-a-test',
        // Enough for two replicas that start again on a busy machine.
        LLM_TIMEOUT_MS: '15000',
      },
    }),
  );
  return { system, processes: processesOf(system), endpoint, model };
}

/** Gives each replica's database connections the name of its address. */
function named(command: Command): Command {
  return { ...command, env: { ...command.env, PGAPPNAME: command.env?.['LISTEN'] } };
}

/** Waits until every replica of the service serves: `addresses` lists them. */
export async function allServe({ system }: Replicated, addresses: string): Promise<void> {
  const each = addresses.replace('ipv4:', '').split(',');
  using peers = new DisposableStack();
  const token = system.operator.operatorToken;
  const replicas = each.map((address) => peers.use(connect(address, { token })));
  await eventually(async () => {
    for (const replica of replicas) expect(await replica.isServing()).toBe(true);
  });
}
