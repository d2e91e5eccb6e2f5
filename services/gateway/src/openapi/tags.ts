/** The groups of operations, in the order of the reference. */
export const tags = {
  Workspaces:
    'A workspace holds customers, bots, interactions and webhooks. Keys have access to one or more.',
  Customers: "People, known by the client's own ids.",
  Interactions:
    'A conversation of one customer with one bot: a draft, pending, in progress, completed or expired.',
  Bots: 'Conversations as data, in published versions.',
  'Open links': 'Links by which anybody can hold a conversation with a bot, such as from a QR code.',
  Webhooks: 'Receivers of completed interactions.',
  Deliveries: 'The log of a webhook: deliveries, their attempts and answers; retries and recoveries.',
  Portal: 'Links that open the webhook screens to somebody without an account.',
  'Keys and secrets': 'API keys, their scopes and rotation; secrets and tokens of the browser SDK.',
  Members: 'People with roles in a workspace, invitations, and the session of the caller.',
  Audit: 'Who changed what in a workspace.',
  Conversations:
    "The calls of a customer's browser: sessions and conversations. Pages of allowed origins may make them.",
  Deployment: 'The state of the whole deployment, for its operator.',
  System: 'For load balancers and tools.',
} as const;

export type Tag = keyof typeof tags;
