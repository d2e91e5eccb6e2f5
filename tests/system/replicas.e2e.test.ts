import { databaseServices } from '@parley/contracts/services';
import { afterAll, afterEach, beforeAll, describe } from 'vitest';
import { availabilityTests } from '../replicas/availability.ts';
import { contactPolicyTests } from '../replicas/contact-policy.ts';
import { idempotencyTests } from '../replicas/idempotency.ts';
import { keyLimitTests } from '../replicas/key-limits.ts';
import { peopleLimitTests } from '../replicas/people-limits.ts';
import { portalLimitTests } from '../replicas/portal-limits.ts';
import { modelTests } from '../replicas/llm.ts';
import { replicaTests } from '../replicas/replicas.ts';
import { revocationTests } from '../replicas/revocation.ts';
import { allServe, type Replicated, startReplicated } from '../replicas/system.ts';

// One system for all that needs several replicas.

const stack = new AsyncDisposableStack();
let replicated: Replicated;
beforeAll(async () => {
  replicated = await startReplicated(stack);
});
// Processes that a failed test has left frozen.
afterEach(() => replicated.processes.thawAll());
afterAll(() => stack.disposeAsync());

/** Begins when the processes that the tests before have ended serve again. */
function describeInTurn(name: string, tests: (of: () => Replicated) => void): void {
  describe(name, () => {
    beforeAll(async () => {
      for (const name of databaseServices) await allServe(replicated, replicated.system.operator[name]);
    });
    tests(() => replicated);
  });
}

describeInTurn('replicas', replicaTests);
describeInTurn('the model', modelTests);
describeInTurn('what is due', availabilityTests);
describeInTurn('revocation', revocationTests);
describeInTurn('limits of keys', keyLimitTests);
describeInTurn('limits of people', peopleLimitTests);
describeInTurn('limits of the portal', portalLimitTests);
describeInTurn('contact policy', contactPolicyTests);
describeInTurn('idempotency keys', idempotencyTests);
