/** What an API key may do, each with what it allows. A scope never includes another one. */
export const scopes = {
  'customers:read': 'Read customers, their exports and erasures',
  'customers:write': 'Create, change, anonymise and delete customers; sign customer tokens',
  'interactions:read': 'Read and export interactions and their results',
  'interactions:write': 'Create, change and delete interactions, with customers that they need',
  'bots:read': 'Read bots and their versions',
  'bots:write': 'Create bots and publish versions',
  'webhooks:read': 'Read webhooks, event types, deliveries and statistics',
  'webhooks:write': 'Create, change and delete webhooks; retry, recover and test deliveries',
  'insight:read': 'Read what conversations show',
  'insight:write': 'Reserved: no operation needs it',
  'keys:read': 'Read API keys, never their secrets',
  'keys:write': 'Create, change and revoke API keys that can do no more; rotate the SDK secret',
  'workspace:read': 'Read the workspace, its branding and retention',
  'workspace:write': 'Change the branding, the retention and the allowed domains',
  'audit:read': 'Read who changed what',
  'audit:write': 'Reserved: no operation needs it',
  'personal-data:read':
    'See names, e-mail addresses, transcripts and personal values; search and replay by them',
} as const satisfies Record<`${string}:${'read' | 'write'}`, string>;

export type Scope = keyof typeof scopes;

export const scopeNames = Object.keys(scopes) as [Scope, ...Scope[]];

export function isScope(text: string): text is Scope {
  return Object.hasOwn(scopes, text);
}
