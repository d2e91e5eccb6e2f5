import { createBenchSessions } from '../setup/sessions.ts';
import type { Subject } from '../setup/subject.ts';
import { conversationId } from '../setup/seed.ts';
import type { Watched } from './browsers.ts';

/** Seeded conversations that wait for their first answer, each with the session of its own link. */
export async function conversationsOf({ sessionKeys, contents }: Subject): Promise<Watched[]> {
  const sessions = createBenchSessions(sessionKeys);
  const { workspaceId, conversations } = contents;
  return Promise.all(
    Array.from({ length: conversations }, async (_, index) => {
      const interactionId = conversationId(index + 1);
      const subject = { $case: 'interaction', value: { interactionId, linkVersion: 1 } } as const;
      const token = await sessions.issue({ workspaceId, subject, fenceVersion: 0 });
      const path = `/public/v1/workspaces/${workspaceId}/conversations/${interactionId}`;
      return { path, authorization: `Bearer ${token}` };
    }),
  );
}
