import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import type { TlsOptions } from 'node:tls';
import { eventually } from '@parley/testing/eventually';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AttemptResult, Sender } from '../../src/sending/attempt.ts';
import { distrustCertificate, trustCertificate } from '@parley/testing/peers/certificate';
import { answering, patient, rawServer, sending } from './sending.ts';

beforeAll(trustCertificate);
afterAll(distrustCertificate);

const body = Buffer.from('{}');
const postBefore = (sender: Sender, origin: string, sendBefore: number): Promise<AttemptResult | undefined> =>
  sender.post({ origin, path: '/', headers: {}, body, sendBefore: () => sendBefore });
const past = (instant: number) => eventually(() => expect(performance.now()).toBeGreaterThan(instant));

/** A receiver that counts requests, and answers the ones that `respond` leaves. */
async function countingServer(options: Parameters<typeof rawServer>[1] = {}, respond = answering()) {
  const received: string[] = [];
  const server = await rawServer((socket, chunk) => {
    received.push(chunk.toString());
    respond(socket);
  }, options);
  return Object.assign(server, { received });
}

test('a request is sent before its instant, and no connection is opened after it', async () => {
  await using receiver = await countingServer();
  await using sender = sending(patient);
  expect(await postBefore(sender, `http://${receiver.host}`, performance.now() - 1)).toBeUndefined();
  expect(receiver.connections).toHaveLength(0);
  const sent = await postBefore(sender, `http://${receiver.host}`, performance.now() + 60_000);
  expect(sent).toMatchObject({ status: 200, error: null });
});

test('nothing is sent over a kept connection when the process was busy until after the instant', async () => {
  await using receiver = await countingServer();
  await using sender = sending(patient);
  const origin = `http://${receiver.host}`;
  await postBefore(sender, origin, Number.POSITIVE_INFINITY);
  const sendBefore = performance.now() + 50;
  const posted = postBefore(sender, origin, sendBefore);
  while (performance.now() < sendBefore);
  expect(await posted).toBeUndefined();
  expect(receiver.received).toHaveLength(1);
  expect(await postBefore(sender, origin, Number.POSITIVE_INFINITY)).toMatchObject({ error: null });
});

test('nothing is sent over a connection that was established after the instant', async () => {
  const instant = performance.now() + 200;
  await using receiver = await countingServer();
  const lookup = async () => {
    await past(instant);
    return ['127.0.0.1'];
  };
  await using sender = sending({ ...patient, lookup });
  const origin = `http://receiver.example:${receiver.port}`;
  expect(await postBefore(sender, origin, instant)).toBeUndefined();
  await eventually(() => expect(receiver.connections[0]?.readableEnded).toBe(true));
  expect(receiver.received).toEqual([]);
});

test('nor after a TLS handshake that ended after the instant', async () => {
  const instant = performance.now() + 200;
  const answerLate = async (done: (error: Error | null) => void): Promise<void> => {
    await past(instant);
    done(null);
  };
  const SNICallback: TlsOptions['SNICallback'] = (_name, done) => void answerLate(done);
  await using receiver = await countingServer({ tls: { SNICallback } });
  await using sender = sending({ ...patient, lookup: async () => ['127.0.0.1'] });
  const origin = `https://receiver.example:${receiver.port}`;
  expect(await postBefore(sender, origin, instant)).toBeUndefined();
  expect(receiver.received).toEqual([]);
});

test('a request is not sent again after the instant: the first attempt has its outcome', async () => {
  const instant = performance.now() + 300;
  let requests = 0;
  const respond = (socket: Socket): void => {
    requests += 1;
    if (requests === 1) answering()(socket);
    else void past(instant).then(() => socket.end());
  };
  await using receiver = await countingServer({}, respond);
  await using sender = sending(patient);
  const origin = `http://${receiver.host}`;
  await postBefore(sender, origin, instant);
  expect(await postBefore(sender, origin, instant)).toMatchObject({ status: null, error: 'reset' });
  expect(receiver.received).toHaveLength(2);
});

test('a process that was frozen until after the instant sends nothing when it resumes', async () => {
  await using receiver = await countingServer();
  const forMs = 500;
  const url = `http://receiver.example:${receiver.port}/`;
  const child = fork(new URL('./frozen-sender.ts', import.meta.url), [url, String(forMs)]);
  const exited = once(child, 'exit');
  expect(await once(child, 'message')).toEqual(['resolving', undefined]);
  child.kill('SIGSTOP');
  child.send('resolved');
  await past(performance.now() + forMs);
  const said = once(child, 'message');
  child.kill('SIGCONT');
  expect(await said).toEqual(['not sent', undefined]);
  await exited;
  expect(receiver.connections).toHaveLength(1);
  expect(receiver.received).toEqual([]);
});
