/**
 * A bot that greets, asks for a number and a reason, and says goodbye. Conversations without an answer have 2 entries.
 */
export function twoQuestions(
  greeting: string | Record<string, string> = 'Hi {{customer.firstName|there}}!',
  key = 'two-questions',
) {
  return {
    schemaVersion: 1,
    key,
    name: 'Two questions',
    type: 'Test',
    typeLabel: 'A test with two questions',
    context: [{ name: 'product', default: 'it' }],
    evaluation: { score: {}, why: { pii: true } },
    steps: [
      { id: 'hi', kind: 'say', text: greeting },
      {
        id: 'score',
        kind: 'ask',
        text: 'How many for {{context.product}}?',
        input: { type: 'nps' },
        evaluation: 'score',
      },
      { id: 'why', kind: 'ask', text: 'Why?', input: { type: 'text' }, required: false, evaluation: 'why' },
      { id: 'bye', kind: 'end', text: 'Bye, and thanks.' },
    ],
  };
}
