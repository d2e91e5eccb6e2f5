const types = [
  { type: 'rating', max: 5 },
  { type: 'nps' },
  { type: 'yesNo' },
  { type: 'longText' },
  {
    type: 'choice',
    choices: ['fast', 'fair', 'slow'].map((value) => ({ value, label: { en: value, de: `${value} (de)` } })),
  },
];

/** Returns a definition of so many steps: questions with conditions, ways, values in their texts, and translations. */
export function largeBot(key: string, steps: number): Record<string, unknown> {
  const questions = Array.from({ length: steps - 1 }, (_, index) => {
    const input = types[index % types.length];
    const before = index > 0 ? ` You said {{answers.q${index - 1}|nothing}}.` : '';
    const rating = index - (index % types.length);
    return {
      id: `q${index}`,
      kind: 'ask',
      ...(index > rating &&
        index % 2 === 1 && { when: `answers.q${rating} >= 3 && has(answers.q${rating})` }),
      text: {
        en: `Question ${index}: how was the delivery of your order, {{customer.firstName|dear customer}}?${before}`,
        de: `Frage ${index}: Wie war die Lieferung Ihrer Bestellung, {{customer.firstName|liebe Kundin}}?`,
      },
      input,
      evaluation: `value${index}`,
      ...(index === rating &&
        index + 3 < steps && {
          next: [
            { if: `answers.q${index} <= 2`, goto: index + 3 < steps - 1 ? `q${index + 3}` : 'bye' },
            { else: index + 1 < steps - 1 ? `q${index + 1}` : 'bye' },
          ],
        }),
    };
  });
  return {
    schemaVersion: 1,
    key,
    name: 'A large bot',
    type: 'Feedback',
    evaluation: Object.fromEntries(questions.map(({ evaluation }) => [evaluation, {}])),
    steps: [...questions, { id: 'bye', kind: 'end', text: { en: 'Thank you!', de: 'Danke!' } }],
  };
}
