/** The actions of the audit log: a thing and a verb. docs/access.md has what each of them is. */
export const auditActions = [
  'workspace.created',
  'workspace.updated',
  'branding.updated',
  'retention.updated',
  'key.created',
  'key.updated',
  'key.revoked',
  'key.rotated',
  'sdkSecret.rotated',
  'customerToken.created',
  'customer.created',
  'customer.updated',
  'customer.anonymised',
  'customer.deleted',
  'interaction.created',
  'interaction.updated',
  'interaction.deleted',
  'bot.created',
  'bot.published',
  'webhook.created',
  'webhook.updated',
  'webhook.deleted',
  'webhook.tested',
  'signingSecret.rotated',
  'delivery.retried',
  'recovery.started',
  'interactions.exported',
  'customer.exported',
  'interaction.opened',
  'interactions.listed',
  'member.invited',
  'member.joined',
  'member.updated',
  'member.removed',
  'consoleLink.created',
  'session.begun',
  'session.ended',
  'erasureKey.rotated',
  'figures.rebuilt',
] as const;

/** An action of the audit log. */
export type AuditAction = (typeof auditActions)[number];

/** The actions on some kinds of things. */
export type ActionOn<Thing extends string> = Extract<AuditAction, `${Thing}.${string}`>;
