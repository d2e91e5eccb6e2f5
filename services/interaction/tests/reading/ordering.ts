/** A bot with each mode of the `llm` step that waits for one answer, between a question and a good-bye. */
export function ordering(mode: 'classify' | 'extract' | 'summarise' | 'chat', key: string = mode) {
  const modes = {
    classify: { labels: ['food', 'other'], evaluation: 'outcome' },
    extract: { fields: { count: { input: { type: 'number' } } }, evaluation: { outcome: 'count' } },
    summarise: { evaluation: 'outcome' },
    chat: { evaluation: 'outcome', maxTurns: 2 },
  };
  return {
    schemaVersion: 1,
    key,
    name: 'Ordering',
    type: 'Order',
    evaluation: { want: {}, outcome: {} },
    steps: [
      {
        id: 'want',
        kind: 'ask',
        text: 'What would you like, {{customer.firstName}}?',
        input: { type: 'longText' },
        evaluation: 'want',
      },
      {
        id: 'model',
        kind: 'llm',
        mode,
        prompt: 'Look at {{answers.want}}.',
        ...modes[mode],
        onError: { goto: 'failed' },
      },
      { id: 'bye', kind: 'end', text: 'Thank you.' },
      { id: 'failed', kind: 'say', text: 'We shall see.', next: 'bye' },
    ],
  };
}
