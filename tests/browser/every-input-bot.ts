interface Question {
  /** In English and Arabic. */
  text: [string, string];
  input: Record<string, unknown>;
}

const choices = [
  { value: 'mild', label: { en: 'Mild and sweet', ar: 'خفيف وحلو' } },
  {
    value: 'fruity',
    label: { en: 'Fruity, with a long finish that reminds of blackcurrant and late summer', ar: 'فاكهي' },
  },
  { value: 'dark', label: { en: 'Dark', ar: 'داكن' } },
];
const ends = { low: { en: 'Poor', ar: 'سيئ' }, high: { en: 'Excellent', ar: 'ممتاز' } };

const questions: Record<string, Question> = {
  text: {
    text: ['What shall we call you?', 'ماذا نناديك؟'],
    input: { type: 'text', minLength: 2, maxLength: 80 },
  },
  longText: {
    text: ['What would you like to tell us?', 'ماذا تود أن تقول لنا؟'],
    input: { type: 'longText' },
  },
  choice: { text: ['How do you like your coffee?', 'كيف تحب قهوتك؟'], input: { type: 'choice', choices } },
  multiChoice: {
    text: ['Which of these do you like?', 'أي من هذه تحب؟'],
    input: { type: 'multiChoice', choices, minSelections: 1, maxSelections: 2 },
  },
  nps: {
    text: ['How likely are you to recommend us?', 'ما مدى احتمال أن توصي بنا؟'],
    input: { type: 'nps' },
  },
  stars: { text: ['How was your order?', 'كيف كان طلبك؟'], input: { type: 'rating', max: 5, labels: ends } },
  rating: {
    text: ['How was the taste?', 'كيف كان الطعم؟'],
    input: { type: 'rating', max: 10, labels: ends },
  },
  number: {
    text: ['How many cups a day?', 'كم فنجانًا في اليوم؟'],
    input: { type: 'number', min: 0, max: 20 },
  },
  yesNo: { text: ['Do you own a grinder?', 'هل تملك مطحنة؟'], input: { type: 'yesNo' } },
  date: {
    text: ['When shall we deliver?', 'متى نوصل؟'],
    input: { type: 'date', min: '2030-01-01', max: '2040-12-31' },
  },
  time: { text: ['At what time?', 'في أي وقت؟'], input: { type: 'time', min: '08:00', max: '18:00' } },
  email: { text: ['What is your e-mail address?', 'ما هو بريدك الإلكتروني؟'], input: { type: 'email' } },
  phone: { text: ['What is your phone number?', 'ما هو رقم هاتفك؟'], input: { type: 'phone' } },
  url: { text: ['Where is your shop on the web?', 'أين متجرك على الإنترنت؟'], input: { type: 'url' } },
};

/** Every kind of question that the bot asks. */
export const kinds: readonly string[] = Object.keys(questions);

/** What is asked, in English. */
export function questionOf(kind: string): string {
  return questions[kind]?.text[0] ?? '';
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
