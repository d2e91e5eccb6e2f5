import { afterAll, beforeAll, describe } from 'vitest';
import { type FailingOver, failoverTests, startFailingOver } from '../faults/failover.ts';

// A system of its own: it has a standby of Postgres, and its primary ends.

const stack = new AsyncDisposableStack();
let system: FailingOver;
beforeAll(async () => {
  system = await startFailingOver(stack);
});
afterAll(() => stack.disposeAsync());

describe('a failover of Postgres', () => failoverTests(() => system));
