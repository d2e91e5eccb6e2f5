import type { Scope, WorkspaceClient } from '@parley/client';
import { expect, test } from 'vitest';
import { mayNotChoose, type Workspace } from './workspace.tsx';

const workspaceOf = (portalWebhooks: Workspace['portalWebhooks'], ...scopes: Scope[]): Workspace => ({
  id: 'w',
  name: 'Shop',
  role: null,
  ...(portalWebhooks !== undefined && { portalWebhooks }),
  client: {} as WorkspaceClient,
  can: (scope) => scopes.includes(scope),
});

test.each([
  ['a person', undefined, [], false],
  ['a link of all webhooks with personal data', null, ['personal-data:read'], false],
  ['a link of all webhooks without', null, [], true],
  ['a link of some webhooks with personal data', ['a'], ['personal-data:read'], true],
  ['a link of no webhook', [], [], true],
] as const)('%s and whether it may choose what a webhook gets', (_, portalWebhooks, scopes, expected) => {
  expect(mayNotChoose(workspaceOf(portalWebhooks, ...scopes))).toBe(expected);
});
