import { draft, valid } from './definitions.ts';

/**
 * A small bot with each mode of the `llm` step: it asks for an order, classifies, extracts and summarises it,
 * and chats about it. Each failure has a text.
 */
export const order = valid(
  draft(
    [
      {
        id: 'want',
        kind: 'ask',
        text: 'What would you like?',
        input: { type: 'longText' },
        evaluation: 'want',
      },
      {
        id: 'sort',
        kind: 'llm',
        mode: 'classify',
        prompt: 'Is {{answers.want}} about food or something else, in {{context.place|a shop}}?',
        labels: ['food', 'other'],
        saveAs: 'topic',
        evaluation: 'topic',
        onError: { goto: 'unsorted' },
        next: [{ if: "answers.topic == 'food'", goto: 'parts' }, { else: 'sum' }],
      },
      { id: 'unsorted', kind: 'say', text: 'Not sorted.', next: 'sum' },
      {
        id: 'parts',
        kind: 'llm',
        mode: 'extract',
        prompt: 'Find what is ordered in {{answers.want}}.',
        fields: {
          count: { description: 'How many', input: { type: 'number', integer: true, min: 1, max: 9 } },
          size: {
            input: {
              type: 'choice',
              choices: [
                { value: 's', label: 'Small' },
                { value: 'l', label: 'Large' },
              ],
            },
          },
          day: { input: { type: 'date' } },
        },
        saveAs: 'order',
        evaluation: { how_many: 'count' },
        onError: { goto: 'apart' },
      },
      {
        id: 'counted',
        kind: 'say',
        when: 'has(answers.order.count) && answers.order.count > 1',
        text: '{{answers.order.count}} of {{answers.order.size|no size}}.',
        next: 'sum',
      },
      { id: 'apart', kind: 'say', text: 'Not taken apart.' },
      {
        id: 'sum',
        kind: 'llm',
        mode: 'summarise',
        prompt: 'Sum up {{answers.want}} for {{customer.firstName}}.',
        saveAs: 'sum',
        onError: { goto: 'talk' },
      },
      { id: 'read', kind: 'say', text: 'In short: {{answers.sum}}' },
      {
        id: 'talk',
        kind: 'llm',
        mode: 'chat',
        prompt: 'Find out when {{answers.want}} is to be ready.',
        saveAs: 'said',
        evaluation: 'said',
        maxTurns: 2,
        onError: { goto: 'silent' },
        next: 'bye',
      },
      { id: 'silent', kind: 'say', text: 'Nobody to talk to.' },
      { id: 'bye', kind: 'end', text: 'Bye.' },
    ],
    { context: [{ name: 'place' }], evaluation: { want: {}, topic: {}, how_many: {}, said: {} } },
  ),
);
