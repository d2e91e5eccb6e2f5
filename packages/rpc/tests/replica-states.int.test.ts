import { connect } from '@parley/rpc/connect';
import { eventually } from '@parley/testing/eventually';
import { observedGauge } from '@parley/runtime/metrics/metrics';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { asService, customer, startNetwork, streamRpc, tokens } from './peers.ts';

// Each replica of a service is asked for its state, also one that gets no other calls.

const metric = 'of.a.test.replicas';
const gauge = observedGauge({ name: metric, unit: '1', description: 'Of a test' });
const asGateway = { token: tokens.service, caller: 'gateway' } as const;

let stack: AsyncDisposableStack;
beforeEach(() => {
  stack = new AsyncDisposableStack();
});
afterEach(() => stack.disposeAsync());

const start = async () =>
  stack.use(await streamRpc.serve({ getCustomer: async () => customer('a') })).address;

test('each replica answers with its version and metrics; one that is gone does not', async () => {
  stack.use(gauge.observe((report) => report(7, { 'a.name': 'x' })));
  const addresses = [await start(), await start(), '127.0.0.1:1'];
  const peer = stack.use(connect(`ipv4:${addresses.join(',')}`, asGateway));
  const [first, second, gone] = await peer.replicaStates([metric, 'of.a.test.unknown']);
  for (const [one, address] of [
    [first, addresses[0]],
    [second, addresses[1]],
  ] as const) {
    expect(one).toMatchObject({ address, isAnswering: true, unreachableSince: undefined });
    expect(one?.state).toMatchObject({
      isReady: true,
      readings: [{ metric, attributes: { 'a.name': 'x' }, value: 7 }],
    });
  }
  expect(gone).toMatchObject({ address: '127.0.0.1:1', state: undefined, isAnswering: false });
  expect(gone?.unreachableSince?.getTime()).toBeLessThanOrEqual(Date.now());
});

test('a replica that is silent is shown as such, and as answering when it resumes', async () => {
  const address = await start();
  const network = stack.use(await startNetwork(address));
  const peer = stack.use(connect(network.address, asGateway));
  expect(await peer.replicaStates([])).toMatchObject([{ isAnswering: true }]);
  network.stall();
  const [silent] = await peer.replicaStates([]);
  expect(silent).toMatchObject({ state: undefined, isAnswering: false });
  expect(silent?.unreachableSince).toBeInstanceOf(Date);
  network.resume();
  await eventually(async () =>
    expect(await peer.replicaStates([])).toMatchObject([{ isAnswering: true, unreachableSince: undefined }]),
  );
});

test('a replica that refuses the call, or does not know it, answers without a state', async () => {
  const peer = stack.use(connect(await start(), asService));
  expect(await peer.replicaStates([])).toMatchObject([{ state: undefined, isAnswering: true }]);
});

test('a name without an address has no replicas', async () => {
  const peer = stack.use(connect('dns:///nowhere.invalid:1', asGateway));
  expect(await peer.replicaStates([])).toEqual([]);
});
