import { afterAll, afterEach, beforeAll, describe } from 'vitest';
import { anonymisationTests } from '../faults/anonymisation.ts';
import { clientTests } from '../faults/client.ts';
import { consumerTests } from '../faults/consumer.ts';
import { outageTests } from '../faults/outages.ts';
import { probeTests } from '../faults/probes.ts';
import { stoppingTests } from '../faults/stopping.ts';
import { type Faulty, startFaulty } from '../faults/system.ts';

// One system for all that ends processes of which there is one.

const stack = new AsyncDisposableStack();
let faulty: Faulty;
beforeAll(async () => {
  faulty = await startFaulty(stack);
});
// Processes that a failed test has left frozen.
afterEach(() => faulty.processes.thawAll());
afterAll(() => stack.disposeAsync());

// First: it reads everything that is stored.
describe('anonymising', () => anonymisationTests(() => faulty));
describe('the client', () => clientTests(() => faulty));
describe('a consumer of another team', () => consumerTests(() => faulty));
describe('probes', () => probeTests(() => faulty));
describe('outages', () => outageTests(() => faulty));
describe('a stopping service', () => stoppingTests(() => faulty));
