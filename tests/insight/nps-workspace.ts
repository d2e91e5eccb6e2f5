import type { OperatorAccess } from '@parley/local/demo/demo';
import { createWorkspace } from '@parley/testing/api';
import { npsBot } from '../conversations/sample-bots.ts';

export interface Interaction {
  id: string;
  status: string;
  priority: string;
  link: string;
  expiresAt: string | null;
  createdAt: string;
  customerId: string;
  type: string;
  data: string | null;
  context: { key: string; value: string }[];
}

/** A new workspace with the bot that asks for a score, and the calls on its interactions. */
export async function createNpsWorkspace(baseUrl: string, operator: OperatorAccess) {
  const workspace = await createWorkspace(baseUrl, operator);
  const botId = await workspace.publish(npsBot);
  const { api } = workspace;
  return {
    workspace,
    botId,
    /** For the customer `c` with that bot, by default. */
    create: (body: object = {}) =>
      api.post<Interaction>('/interactions', { customerId: 'c', botId, ...body }),
    patch: (id: string, body: unknown) => api.patch<Interaction>(`/interactions/${id}`, body),
    get: (id: string) => api.get<Interaction>(`/interactions/${id}`),
  };
}
