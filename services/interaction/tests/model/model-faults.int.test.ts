import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import type { ModelQuestion } from '@parley/bot/model-question';
import { validateDefinition } from '@parley/bot/definition';
import { beginConversation } from '@parley/bot/engine';
import { completion, startModelEndpoint } from '@parley/testing/peers/model-endpoint';
import { quietLogger } from '@parley/testing/quiet';
import { expect, it } from 'vitest';
import { askModel } from '../../src/model/ask.ts';
import { ModelFault, Model } from '../../src/model/model.ts';
import type { Claimed } from '../../src/model/store.ts';

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

const sorting = {
  schemaVersion: 1,
  key: 'sorting',
  name: 'Sorting',
  type: 'Sorting',
  steps: [
    {
      id: 'sort',
      kind: 'llm',
      mode: 'classify',
      prompt: 'Sort {{customer.id}}.',
      saveAs: 'topic',
      labels: ['food', 'other'],
      onError: { goto: 'bye' },
    },
    { id: 'bye', kind: 'end' },
  ],
};

it('the log says what was wrong with an answer, and never quotes it', async () => {
  const validation = validateDefinition(sorting);
  if ('faults' in validation) throw new Error(JSON.stringify(validation.faults));
  const customer = { id: 'ada', firstName: '', lastName: '', email: '' };
  const { state } = beginConversation(validation.definition, {
    customer,
    context: {},
    now: 1,
    hasModel: true,
  });
  const answers = [completion('Zebedee likes cake'), completion('{"label": "Zebedee"}')];
  await using endpoint = await startModelEndpoint((_question, index) => answers[index] ?? 'hang');
  const lines: object[] = [];
  const log = (fields: object) => void lines.push(fields);
  const logger = { ...quietLogger, info: log, warn: log } as typeof quietLogger;
  const outcome = await askModel(
    { id: 'one', state, transcript: [], modelTries: 1 } as unknown as Claimed,
    validation.definition,
    {
      model: new Model({ baseUrl: endpoint.baseUrl, apiKey: undefined, model: 'm' }, logger),
      timeoutMs: 20_000,
      compute: async (work) => work(),
      logger,
    },
    new AbortController().signal,
  );
  expect(outcome).toEqual({ failed: true });
  expect(lines).toEqual([
    { interactionId: 'one', stepId: 'sort', reason: 'not-json' },
    { interactionId: 'one', stepId: 'sort', fault: 'invalid_answer', reason: 'not-a-label' },
  ]);
});
