import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import type { ModelQuestion } from '@parley/bot/model-question';
import { startModelEndpoint } from '@parley/testing/model-endpoint';
import { quietLogger } from '@parley/testing/quiet';
import { expect, it } from 'vitest';
import { ModelFault, Model } from '../src/model/model.ts';

const question: ModelQuestion = {
  messages: [{ role: 'user', content: 'Two cakes' }],
  schema: { type: 'object', properties: {}, required: [], additionalProperties: false },
};

const ask = (baseUrl: string, asked = question, withinMs = 20_000): Promise<unknown> =>
  new Model({ baseUrl, apiKey: undefined, model: 'm' }, quietLogger)
    .ask(asked, Date.now() + withinMs, new AbortController().signal)
    .catch((error: unknown) => error);

async function listening(server: Server) {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return { address: `127.0.0.1:${(server.address() as AddressInfo).port}`, [Symbol.asyncDispose]: close };
}

async function nobodysAddress(): Promise<string> {
  await using server = await listening(createTcpServer());
  return server.address;
}

it('a refused connection is a fault of the network with its code', async () => {
  const fault = await ask(`http://${await nobodysAddress()}`);
  expect(fault).toBeInstanceOf(ModelFault);
  expect(fault).toMatchObject({ message: 'network', code: 'ECONNREFUSED' });
});

it('so is a connection without the expected TLS, with another code', async () => {
  await using server = await listening(createServer());
  const fault = await ask(`https://${server.address}`);
  expect(fault).toMatchObject({
    message: 'network',
    code: expect.stringMatching(/SSL|TLS|EPROTO/) as string,
  });
});

it('so is a truncated answer', async () => {
  let asked = 0;
  await using server = await listening(
    createServer((_, response) => {
      asked += 1;
      response.writeHead(200, { 'content-length': '100' });
      response.write('{"choices"', () => response.destroy());
    }),
  );
  const fault = await ask(`http://${server.address}`);
  expect(fault).toMatchObject({ message: 'network', code: 'UND_ERR_SOCKET' });
  expect(asked).toBe(3);
});

it('an answer that is sent byte by byte ends at the time limit', async () => {
  await using server = await listening(
    createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const drops = setInterval(() => response.write(' '), 50);
      response.once('close', () => clearInterval(drops));
    }),
  );
  const fault = await ask(`http://${server.address}`, question, 600);
  expect(fault).toBeInstanceOf(ModelFault);
  expect(fault).toMatchObject({ message: 'timeout' });
});

it('a bug is not a fault of the network, and is not retried', async () => {
  await using endpoint = await startModelEndpoint(() => ({ says: {} }));
  // A value that JSON cannot contain.
  const asked = { ...question, schema: { ...question.schema, properties: { size: Object(1n) as object } } };
  const error = await ask(endpoint.baseUrl, asked);
  expect(error).toBeInstanceOf(TypeError);
  expect(String(error)).toContain('BigInt');
  expect(endpoint.questions).toEqual([]);
});

it('nor is an invalid address', async () => {
  const error = await ask('http://a b');
  expect(error).toBeInstanceOf(TypeError);
  expect(error).not.toBeInstanceOf(ModelFault);
});
