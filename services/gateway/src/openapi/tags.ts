/** The groups that the operations are shown in, in this order. */
export const tags = {
  Workspaces:
    'A workspace holds customers, bots, interactions and webhooks. Keys have access to one or more.',
  Customers: "People, known by the client's own ids.",
  Interactions: 'A talk of one customer with one bot: a draft, waiting, in progress, completed or expired.',
  Bots: 'Conversations as data, in published versions.',
  Webhooks: 'Who is told of completed interactions.',
  Deliveries: 'What was and will be sent to a webhook, and what came back; to have it sent again.',
  'Keys and secrets': 'Rotation of the API key, and what the browser SDK needs.',
  Conversations:
    'What the browser of a customer calls: a session, and the talk itself. Allowed origins may call it from pages.',
  System: 'For load balancers and tools.',
} as const;

export type Tag = keyof typeof tags;
