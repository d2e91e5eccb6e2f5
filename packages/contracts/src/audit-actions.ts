/** The actions of the audit log, a thing and a verb, with their names in English. */
export const actionNames = {
  'workspace.created': 'Workspace created',
  'workspace.updated': 'Workspace changed',
  'branding.updated': 'Branding changed',
  'retention.updated': 'Retention changed',
  'key.created': 'API key created',
  'key.updated': 'API key changed',
  'key.revoked': 'API key revoked',
  'key.rotated': 'Secret of an API key replaced',
  'sdkSecret.rotated': 'SDK secret replaced',
  'customerToken.created': 'Customer token created',
  'customer.created': 'Customer created',
  'customer.updated': 'Customer changed',
  'customer.anonymised': 'Customer anonymised',
  'customer.deleted': 'Customer deleted',
  'interaction.created': 'Interaction created',
  'interaction.updated': 'Interaction changed',
  'interaction.deleted': 'Interaction deleted',
  'bot.created': 'Bot created',
  'bot.published': 'Version of a bot published',
  'webhook.created': 'Webhook created',
  'webhook.updated': 'Webhook changed',
  'webhook.deleted': 'Webhook deleted',
  'webhook.tested': 'Test event sent',
  'signingSecret.rotated': 'Signing secret replaced',
  'delivery.retried': 'Delivery sent again',
  'recovery.started': 'Recovery started',
  'interactions.exported': 'Interactions exported',
  'customer.exported': 'Data of a customer exported',
  'interaction.opened': 'Conversation read',
  'interactions.listed': 'Conversations listed',
  'delivery.opened': 'Body of a delivery read',
  'attempts.listed': 'Answers of receivers listed',
  'member.invited': 'Member invited',
  'member.joined': 'Member joined',
  'member.updated': 'Member changed',
  'member.removed': 'Member removed',
  'consoleLink.created': 'Console link created',
  'portalLink.created': 'Portal link created',
  'portalLink.revoked': 'Portal link revoked',
  'session.begun': 'Signed in',
  'session.ended': 'Signed out',
  'erasureKey.rotated': 'Key of receipts replaced',
  'figures.rebuilt': 'Figures counted again',
};

/** An action of the audit log. */
export type AuditAction = keyof typeof actionNames;

/** The actions of the audit log, in the order of its documentation. */
export const auditActions = Object.keys(actionNames) as AuditAction[];

/** The actions on some kinds of things. */
export type ActionOn<Thing extends string> = Extract<AuditAction, `${Thing}.${string}`>;
