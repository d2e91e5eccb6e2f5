import { afterAll, beforeAll, describe } from 'vitest';
import { dataTests, forgottenIdTests } from '../observed/data.ts';
import { deliveryTests } from '../observed/deliveries.ts';
import { isolationTests } from '../observed/isolation.ts';
import { largeReadTests } from '../observed/large-reads.ts';
import { logTests } from '../observed/logs.ts';
import { metricsTests } from '../observed/metrics.ts';
import { type Observed, startObserved } from '../observed/system.ts';
import { traceSecretTests } from '../observed/trace-secrets.ts';
import { traceTests } from '../observed/traces.ts';
import { tracingTests } from '../observed/tracing.ts';

// One system for all that needs its logs, metrics or traces, or long pauses between the attempts of deliveries.

const stack = new AsyncDisposableStack();
let observed: Observed;
beforeAll(async () => {
  observed = await startObserved(stack);
});
afterAll(() => stack.disposeAsync());

// First: it counts deliveries and questions to the model.
describe('metrics', () => metricsTests(() => observed));
describe('pages of traces', () => traceTests(() => observed));
describe('logs', () => logTests(() => observed));
describe('traces', () => tracingTests(() => observed));
describe('secrets in traces', () => traceSecretTests(() => observed));
describe('the table of docs/data.md:', () => dataTests(() => observed));
describe('workspaces', () => isolationTests(() => observed));
describe('the log of deliveries', () => deliveryTests(() => observed));
describe('large histories', () => largeReadTests(() => observed));
// Last: meanwhile, most of a minute has passed.
describe('ids of removed customers', () => forgottenIdTests());
