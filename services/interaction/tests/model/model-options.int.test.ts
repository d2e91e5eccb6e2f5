import type { ModelQuestion } from '@parley/bot/model-question';
import { type AskedQuestion, startModelEndpoint } from '@parley/testing/peers/model-endpoint';
import { expect, it } from 'vitest';
import { Model } from '../../src/model/model.ts';

const refused = { status: 400, body: '{"error":{"message":"unknown field"}}' };
const fine = { says: { label: 'food' } };

const question = (...labels: string[]): ModelQuestion => ({
  messages: [{ role: 'user', content: 'Two cakes' }],
  schema: {
    type: 'object',
    properties: { label: { enum: labels } },
    required: ['label'],
    additionalProperties: false,
  },
});
const food = question('food', 'other');
const colour = question('red', 'blue');

const hasForm = ({ response_format }: AskedQuestion): boolean => response_format !== undefined;
const hasTemperature = ({ temperature }: AskedQuestion): boolean => temperature !== undefined;

/** A model behind an endpoint that refuses some questions; the sent options of each question in order; and the log. */
async function modelThatRefuses(refuses: (asked: AskedQuestion) => boolean) {
  const endpoint = await startModelEndpoint((asked) => (refuses(asked) ? refused : fine));
  const logged: unknown[] = [];
  const logger = { warn: (fields: unknown) => void logged.push(fields) };
  const model = new Model({ baseUrl: `${endpoint.baseUrl}/`, apiKey: undefined, model: 'm' }, logger);
  return {
    ask: (asked: ModelQuestion) => model.ask(asked, Date.now() + 60_000, new AbortController().signal),
    sent: () => endpoint.questions.splice(0).map((one) => [hasTemperature(one), hasForm(one)]),
    requests: endpoint.questions,
    logged,
    [Symbol.asyncDispose]: () => endpoint[Symbol.asyncDispose](),
  };
}

const all = [true, true];
const formOnly = [false, true];
const temperatureOnly = [true, false];
const plain = [false, false];

it('an endpoint that refuses the temperature still gets the schema, and no temperature later', async () => {
  await using model = await modelThatRefuses(hasTemperature);
  await model.ask(food);
  expect(model.requests[0]?.request.headers.authorization).toBeUndefined();
  expect(model.sent()).toEqual([all, formOnly]);
  await model.ask(colour);
  expect(model.sent()).toEqual([formOnly]);
});

it('an endpoint that refuses one form still gets all others', async () => {
  await using model = await modelThatRefuses((asked) => JSON.stringify(asked).includes('"enum":["red"'));
  await model.ask(colour);
  expect(model.sent()).toEqual([all, formOnly, plain]);
  await model.ask(food);
  expect(model.sent()).toEqual([all]);
  await model.ask(colour);
  expect(model.sent()).toEqual([temperatureOnly]);
});

it('an endpoint that accepts only messages gets only messages', async () => {
  await using model = await modelThatRefuses((asked) => hasForm(asked) || hasTemperature(asked));
  await model.ask(food);
  await model.ask(food);
  expect(model.sent()).toEqual([all, formOnly, plain, temperatureOnly, plain]);
  await model.ask(food);
  expect(model.sent()).toEqual([plain]);
});

it('a question that is refused with any options changes nothing for the next', async () => {
  await using model = await modelThatRefuses(({ messages }) => messages[0]?.content === 'too long');
  const long = { ...food, messages: [{ role: 'user' as const, content: 'too long' }] };
  await expect(model.ask(long)).rejects.toThrow('http_400');
  expect(model.sent()).toEqual([all, formOnly, plain]);
  await model.ask(food);
  expect(model.sent()).toEqual([all]);
});

it('each kind of refusal is logged once', async () => {
  await using model = await modelThatRefuses(hasForm);
  for (const asked of [food, colour, food]) await model.ask(asked);
  expect(model.logged).toEqual([{ option: 'response_format' }]);
});
