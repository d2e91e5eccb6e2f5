import { sampleQuestions as questions } from '../../../packages/bot/tests/sample-questions.ts';

/** Every kind of question that the bot asks. */
export const kinds: readonly string[] = Object.keys(questions);

export function questionOf(kind: string): string {
  return Object.entries(questions).find(([name]) => name === kind)?.[1].text[0] ?? '';
}

function asks(more: (ask: { kind: string; next: string }) => object): object[] {
  return Object.entries(questions).map(
    (
      [
        kind,
        {
          text: [en, ar],
          input,
        },
      ],
      at,
    ) => ({
      id: `ask_${kind}`,
      kind: 'ask',
      text: { en, ar },
      input,
      ...more({ kind, next: kinds[at + 1] === undefined ? 'bye' : `ask_${kinds[at + 1]}` }),
    }),
  );
}

const bye = { id: 'bye', kind: 'end', text: { en: 'Thank you, and enjoy!', ar: 'شكرا لك!' } };

/** Asks every kind of question in turn. Each is asked once more for text that is no answer, then skipped. */
export const retryingBot: unknown = {
  schemaVersion: 1,
  key: 'retrying',
  name: 'The Bean Shop',
  type: 'Test',
  locale: 'en',
  steps: [
    ...asks(({ kind, next }) => ({ retry: { text: `Again, please: ${kind}.`, max: 1, goto: next } })),
    bye,
  ],
};

/** Asks these kinds of questions in turn. */
export function onlyKinds(wanted: readonly string[]): unknown {
  const asked = asks(() => ({})).filter((_ask, at) => wanted.includes(kinds[at] ?? ''));
  return {
    schemaVersion: 1,
    key: 'only',
    name: 'The Bean Shop',
    type: 'Test',
    locale: 'en',
    steps: [...asked, bye],
  };
}

/** Greets, asks the question that the context `kind` names, which is optional, and says goodbye. */
export const everyInputBot: unknown = {
  schemaVersion: 1,
  key: 'every-input',
  name: 'The Bean Shop',
  type: 'Test',
  typeLabel: 'Test',
  locale: 'en',
  context: [{ name: 'kind', default: 'text' }],
  evaluation: {},
  steps: [
    {
      id: 'hi',
      kind: 'say',
      text: {
        en: 'Hello! Your beans are on their way. See https://shop.example.com/orders/1042 for where they are.',
        ar: 'مرحبا! قهوتك في الطريق إليك.',
      },
    },
    {
      id: 'which',
      kind: 'branch',
      next: [
        ...kinds.map((kind) => ({ if: `context.kind == '${kind}'`, goto: `ask_${kind}` })),
        { else: 'ask_text' },
      ],
    },
    ...asks(({ kind }) => ({ required: kind !== 'longText', next: 'bye' })),
    bye,
  ],
};
