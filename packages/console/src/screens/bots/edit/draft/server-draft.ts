import { ParleyError, type WorkspaceClient } from '@parley/client';
import type { ServerDraft } from './begin.ts';

/** Null if the bot has no draft. */
export async function readServerDraft(
  client: Pick<WorkspaceClient, 'bots'>,
  botId: string,
): Promise<ServerDraft | null> {
  try {
    const { data, etag = '' } = await client.bots.getDraft(botId).answer();
    const { definition, baseVersion: base, updatedAt: at, updatedBy: by } = data;
    return { definition, tag: etag, base, at, by };
  } catch (error) {
    if (error instanceof ParleyError && error.status === 404) return null;
    throw error;
  }
}
