import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { credentials } from '@grpc/grpc-js';
import { createAuthority } from '@parley/local/files/certificates';
import { connect } from '@parley/rpc/connect';
import { serve } from '@parley/rpc/serve';
import { createStandings } from '../src/server/standing.ts';
import { openTls, type PeerTls } from '@parley/rpc/tls';
import { eventually } from '@parley/testing/eventually';
import { quietLogger } from '@parley/testing/quiet';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { asService, startNetwork, streamRpc, tokens } from './peers.ts';

// A process is ready only while its peers accept its calls.

let stack: AsyncDisposableStack;
beforeEach(() => {
  stack = new AsyncDisposableStack();
});
afterEach(() => stack.disposeAsync());

type Peers = [address: string, options: { token: string; tls?: PeerTls }][];

/** Starts a process that has these peers. Returns whether it is ready, and what it has logged. */
async function startProcess(peers: Peers) {
  const lines: unknown[] = [];
  const logger = {
    ...quietLogger,
    error: (line: object) => lines.push(line),
    info: (line: object) => lines.push(line),
  } as unknown as typeof quietLogger;
  const standings = stack.use(createStandings(logger));
  for (const [address, options] of peers)
    stack.use(connect(address, { ...asService, ...options, standings }));
  const { address } = stack.use(
    await serve({
      listen: { host: '127.0.0.1', port: 0 },
      services: [],
      tokens,
      standings,
      logger,
      isReady: async () => true,
    }),
  );
  const own = stack.use(connect(address, asService));
  return { isReady: () => own.isServing(), lines };
}

/** Returns a function for the TLS of a process whose certificate an authority signs, with its files in a folder. */
const tlsIn = (path: string) => async (name: string, by: Awaited<ReturnType<typeof createAuthority>>) => {
  const { cert, key } = await by.issue(name);
  const at = (kind: string): string => join(path, `${name}-${kind}.pem`);
  const files = { ca: at('ca'), cert: at('cert'), key: at('key') };
  await Promise.all([writeFile(files.ca, by.ca), writeFile(files.cert, cert), writeFile(files.key, key)]);
  const tls = openTls(files, name, quietLogger);
  if (!tls) throw new Error('there are no files');
  return stack.use(tls);
};

test('it is not ready while a peer refuses its token, and ready soon after', async () => {
  const peerTokens = { ...tokens };
  const peer = stack.use(await streamRpc.serve({}, { tokens: peerTokens }));
  const { isReady, lines } = await startProcess([[peer.address, { token: tokens.service }]]);
  await eventually(async () => expect(await isReady()).toBe(true));
  expect(lines).toEqual([]);

  peerTokens.service = 'another-token-of-a-test';
  const other = await startProcess([[peer.address, { token: tokens.service }]]);
  await eventually(async () => expect(await other.isReady()).toBe(false));
  expect(other.lines).toEqual([{ peer: peer.address, standing: 'refused' }]);
  peerTokens.service = tokens.service;
  await eventually(async () => expect(await other.isReady()).toBe(true));
  expect(other.lines.at(-1)).toEqual({ peer: peer.address });
});

test('it is ready while peers do not run, do not answer or have no address', async () => {
  const peer = stack.use(await streamRpc.serve({}));
  const network = stack.use(await startNetwork(peer.address));
  network.stall();
  const { isReady, lines } = await startProcess(
    [network.address, '127.0.0.1:1', 'dns:///nowhere.invalid:1'].map((address) => [address, asService]),
  );
  const endsAtMs = performance.now() + 3_000;
  await eventually(async () => {
    expect(await isReady()).toBe(true);
    expect(performance.now()).toBeGreaterThan(endsAtMs);
  });
  expect(lines).toEqual([]);
});

test('with TLS, it is not ready if a peer refuses its certificate, or if it trusts none of them', async () => {
  const { path } = stack.use(await mkdtempDisposable(join(tmpdir(), 'standing-')));
  const [ours, theirs] = [await createAuthority(), await createAuthority()];
  const tlsOf = tlsIn(path);
  const peer = stack.use(await streamRpc.serve({}, { tls: await tlsOf('customer', theirs) }));
  const stranger = stack.use(await streamRpc.serve({}, { tls: await tlsOf('webhook', ours) }));
  const foreign = await ours.issue('interaction');
  // It trusts the peer, whose authority has not signed its own certificate.
  const refused: PeerTls = {
    service: 'customer',
    credentials: credentials.createSsl(
      Buffer.from(theirs.ca),
      Buffer.from(foreign.key),
      Buffer.from(foreign.cert),
      { checkServerIdentity: () => undefined },
    ),
  };
  const own = await tlsOf('interaction', ours);
  const { token } = asService;
  const expectStanding = async (tls: PeerTls, standing: string, ready: boolean, others: Peers = []) => {
    const { isReady, lines } = await startProcess([[peer.address, { token, tls }], ...others]);
    await eventually(async () => {
      expect([lines[0], await isReady()]).toEqual([{ peer: peer.address, standing }, ready]);
    });
  };
  await expectStanding(refused, 'refused', false);
  await expectStanding(own.to('customer'), 'distrusted', false);
  // Another peer accepts it, so the first one is at fault.
  const accepting: Peers = [[stranger.address, { token, tls: own.to('webhook') }]];
  await expectStanding(own.to('customer'), 'distrusted', true, accepting);
});

test('it is not ready if it relies on its certificate where a peer needs a token', async () => {
  const { path } = stack.use(await mkdtempDisposable(join(tmpdir(), 'standing-')));
  const authority = await createAuthority();
  const tlsOf = tlsIn(path);
  const peer = stack.use(await streamRpc.serve({}, { tls: await tlsOf('customer', authority) }));
  const own = await tlsOf('interaction', authority);
  const { isReady, lines } = await startProcess([
    [peer.address, { token: 'certificate', tls: own.to('customer') }],
  ]);
  await eventually(async () => {
    expect([lines[0], await isReady()]).toEqual([{ peer: peer.address, standing: 'refused' }, false]);
  });
});
