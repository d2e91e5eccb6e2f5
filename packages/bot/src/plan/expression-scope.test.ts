import { perDetail } from '@parley/contracts/customer-details';
import { expect, test } from 'vitest';
import { valid } from '../../tests/definitions.ts';
import { customerFields } from './conversation.ts';
import { beginConversation } from '../engine/engine.ts';

const customer = { id: 'the id', ...perDetail((name) => `the ${name}`) };

test.each(customerFields)('customer.%s, which a definition can name, exists at run time', (field) => {
  const definition = valid({
    schemaVersion: 1,
    key: 'naming',
    name: 'Naming',
    type: 'Naming',
    evaluation: { it: { pii: true } },
    steps: [
      { id: 'set', kind: 'set', evaluation: { it: `customer.${field}` } },
      { id: 'bye', kind: 'end', text: `{{customer.${field}}}` },
    ],
  });
  const turn = beginConversation(definition, { customer, context: {}, now: 0 });
  expect(turn.evaluation).toEqual({ it: customer[field] });
  expect(turn.entries.map(({ body }) => body)).toEqual([customer[field]]);
});
