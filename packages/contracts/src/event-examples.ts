const interaction = {
  id: '019aa5d8-3c5e-7b21-9f0a-5d1c2e3f4a5b',
  status: 'InProgress',
  priority: 'Medium',
  link: 'https://talk.example/interactions/2TfPq0Xy8mZ3',
  expiresAt: null as string | null,
  createdAt: '2026-11-21T09:30:00.000000',
  customerId: 'customer-1',
  type: 'NPS',
  data: null,
  context: [{ key: 'productName', value: 'Tea' }],
  botId: '019aa5d8-3c5e-7b21-9f0a-5d1c2e3f4a5c',
  botKey: 'nps',
  botVersion: 1,
  startedAt: '2026-11-21T09:31:00.000000' as string | null,
  completedAt: null as string | null,
};

/** The history of a completion, as `InteractionCompleted` without an envelope has it. */
export const resultExample = {
  customer_id: 'customer-1',
  interaction_id: interaction.id,
  evaluation: { nps_score: '9' },
  transcript: [
    { body: 'How likely are you to recommend us to a friend?', timestamp: 1_795_253_400.123, type: 'bot' },
    { body: '9', timestamp: 1_795_253_405.5, type: 'customer' },
  ],
};

/** The public events, in the order of the catalogue, with their names in English. */
export const eventTitles = {
  InteractionCreated: 'Interaction created',
  InteractionAvailable: 'Interaction available',
  InteractionReminderDue: 'Reminder due',
  InteractionStarted: 'Conversation started',
  InteractionStalled: 'Conversation stalled',
  InteractionCompleted: 'Conversation completed',
  InteractionExpired: 'Interaction expired',
  CustomerAnonymised: 'Customer anonymised',
  WebhookDeactivated: 'Webhook turned off',
};

/** An example of the `data` of each event: what a test event sends, and what the documents show. */
export const eventExamples = {
  InteractionCreated: { ...interaction, status: 'Pending', startedAt: null },
  InteractionAvailable: {
    ...interaction,
    status: 'Pending',
    startedAt: null,
    availableFrom: '2026-11-21T09:35:00.000000',
  },
  InteractionReminderDue: { ...interaction, status: 'Pending', startedAt: null, number: 1 },
  InteractionStarted: interaction,
  InteractionStalled: { ...interaction, lastStepId: 'why' },
  InteractionCompleted: {
    ...interaction,
    status: 'Completed',
    completedAt: '2026-11-21T09:35:00.000000',
    result: resultExample,
  },
  InteractionExpired: {
    ...interaction,
    status: 'Expired',
    expiresAt: '2026-11-22T09:30:00.000000',
    reason: 'clock',
  },
  CustomerAnonymised: { id: 'customer-1' },
  WebhookDeactivated: {
    id: '019aa5d8-3c5e-7b21-9f0a-5d1c2e3f4a5d',
    url: 'https://example.com/parley',
    isActive: false,
    event: 'InteractionCompleted',
    reason: 'gone',
  },
} satisfies Record<keyof typeof eventTitles, object>;
