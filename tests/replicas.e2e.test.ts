import { afterAll, afterEach, beforeAll, describe } from 'vitest';
import { idempotencyTests } from './replicas/idempotency.ts';
import { modelTests } from './replicas/llm.ts';
import { replicaTests } from './replicas/replicas.ts';
import { revocationTests } from './replicas/revocation.ts';
import { type Replicated, startReplicated } from './replicas/system.ts';

// One system for all that needs several replicas.

const stack = new AsyncDisposableStack();
let replicated: Replicated;
beforeAll(async () => {
  replicated = await startReplicated(stack);
});
// Processes that a failed test has left frozen.
afterEach(() => replicated.processes.thawAll());
afterAll(() => stack.disposeAsync());

describe('replicas', () => replicaTests(() => replicated));
describe('revocation', () => revocationTests(() => replicated));
describe('idempotency keys', () => idempotencyTests(() => replicated));
describe('the model', () => modelTests(() => replicated));
