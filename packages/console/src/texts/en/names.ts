import type { DeliveredEvent, Scope } from '@parley/client';
import { actionNames } from '@parley/contracts/audit-actions';
import { eventTitles } from '@parley/contracts/event-examples';

/** The words for names that programs use. */
export const names = {
  actions: actionNames,
  events: { ...eventTitles, Test: 'Test event' } satisfies Record<DeliveredEvent, string>,
  scopes: {
    'customers:read': 'Read customers and erasures',
    'customers:write': 'Create, change and erase customers',
    'interactions:read': 'Read and export interactions',
    'interactions:write': 'Create, change and delete interactions',
    'bots:read': 'Read bots and their versions',
    'bots:write': 'Create bots and publish versions',
    'webhooks:read': 'Read webhooks and deliveries',
    'webhooks:write': 'Change webhooks; send deliveries again',
    'insight:read': 'Read the figures of bots',
    'insight:write': 'Reserved, without use today',
    'keys:read': 'Read API keys',
    'keys:write': 'Create and revoke API keys',
    'workspace:read': 'Read settings and members',
    'workspace:write': 'Change settings and members',
    'audit:read': 'Read the audit log',
    'audit:write': 'Reserved, without use today',
    'personal-data:read': 'See names, addresses and answers',
  } satisfies Record<Scope, string>,
  targets: {
    workspace: 'workspace',
    key: 'API key',
    customer: 'customer',
    interaction: 'interaction',
    bot: 'bot',
    webhook: 'webhook',
    delivery: 'delivery',
    event: 'event',
    recovery: 'recovery',
    member: 'member',
    person: 'person',
    portalLink: 'portal link',
    erasureKey: 'key of receipts',
    service: 'service',
  },
};
