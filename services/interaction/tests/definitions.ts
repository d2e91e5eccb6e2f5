/** A bot that greets by name, asks two questions and thanks. */
export const survey = {
  schemaVersion: 1,
  key: 'survey',
  name: 'Survey',
  type: 'NPS',
  typeLabel: 'Net Promoter Score',
  context: [{ name: 'product', default: 'our service' }, { name: 'plan' }],
  evaluation: { score: {}, reason: { pii: true } },
  steps: [
    { id: 'hi', kind: 'say', text: 'Hi {{customer.firstName|there}}! This is about {{context.product}}.' },
    {
      id: 'score',
      kind: 'ask',
      text: 'How likely are you to recommend it?',
      input: { type: 'nps' },
      evaluation: 'score',
    },
    { id: 'reason', kind: 'ask', text: 'Why?', input: { type: 'longText' }, pii: true, evaluation: 'reason' },
    { id: 'bye', kind: 'end', text: 'Thank you, {{customer.firstName|friend}}!' },
  ],
};

/** A bot that sends one text and ends. */
export const notice = {
  schemaVersion: 1,
  key: 'notice',
  name: 'Notice',
  type: 'Notice',
  steps: [{ id: 'done', kind: 'end', text: 'Your order is on its way, {{customer.firstName|friend}}.' }],
};

/** A bot with personal context, a personal number, and an answer in which the customer may repeat both. */
export const callback = {
  schemaVersion: 1,
  key: 'callback',
  name: 'Callback',
  type: 'Callback',
  context: [{ name: 'street', pii: true }, { name: 'order' }],
  evaluation: { phone: { pii: true }, more: {} },
  steps: [
    { id: 'phone', kind: 'ask', text: 'Phone?', input: { type: 'phone' }, evaluation: 'phone' },
    { id: 'more', kind: 'ask', text: 'Else?', input: { type: 'longText' }, evaluation: 'more' },
    { id: 'bye', kind: 'end', text: 'Thank you!' },
  ],
};
