import type { Scope, WorkspaceClient } from '@parley/client';
import { createContext, use } from 'react';

export interface Workspace {
  id: string;
  name: string;
  role: string | null;
  /** The webhooks that a link of the portal shows. Null: all. Undefined: it is the console. */
  portalWebhooks?: readonly string[] | null;
  client: WorkspaceClient;
  /** Whether the person may do what needs this scope. */
  can(scope: Scope): boolean;
}

/** Whether a link of the portal may not create a webhook, or choose what one gets. */
export function mayNotChoose({ portalWebhooks, can }: Workspace): boolean {
  return portalWebhooks !== undefined && (portalWebhooks !== null || !can('personal-data:read'));
}

const WorkspaceContext = createContext<Workspace | undefined>(undefined);

export const WorkspaceProvider = WorkspaceContext;

export function useWorkspace(): Workspace {
  const workspace = use(WorkspaceContext);
  if (!workspace) throw new Error('this screen is not in a workspace');
  return workspace;
}
