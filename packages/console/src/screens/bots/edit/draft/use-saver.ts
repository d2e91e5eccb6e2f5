import { ParleyError } from '@parley/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { draftsQuery, versionsQuery } from '../../../../data/bots.ts';
import { useLiveOptions } from '../../../../data/live.tsx';
import { useOnline } from '../../../../data/online.ts';
import { sessionQuery, setSessionOver, useSessionOver } from '../../../../data/session/session.ts';
import { useWorkspace } from '../../../../data/workspace.tsx';
import type { Beginning, ServerDraft } from './begin.ts';
import { Saver } from './saver.ts';
import type { Saving } from './saving.ts';
import { readServerDraft } from './server-draft.ts';

interface Events {
  /** Called before a text is sent. */
  onSending(): void;
  /** Called when the service has a text, or no draft any more. */
  onSaved(text: string): void;
  /** Shows the draft of somebody else, and returns its text. Undefined if something was typed. */
  onFollow(theirs: ServerDraft): string | undefined;
}

/** Saves the text of the editor as the draft of the bot. Undefined without the right to. */
export function useSaver(
  botId: string,
  { draft, tag, isSaved, theirs }: Beginning,
  events: Events,
): { saver: Saver | undefined; saving: Saving } {
  const workspace = useWorkspace();
  const { client, can } = workspace;
  const cache = useQueryClient();
  const latest = useRef(events);
  latest.current = events;
  const [saving, setSaving] = useState<Saving>(
    theirs ? { kind: 'conflict', theirs, hasOwn: true } : { kind: isSaved ? 'saved' : 'none' },
  );
  const [saver] = useState(() => {
    if (!can('bots:write')) return undefined;
    const sent = async <Result>(call: Promise<Result>): Promise<Result> => {
      try {
        return await call;
      } catch (error) {
        if (error instanceof ParleyError && error.status === 401) setSessionOver(true);
        throw error;
      }
    };
    return new Saver({
      calls: {
        save: async (definition, baseVersion, ifMatch) => {
          const options = ifMatch === undefined ? {} : { ifMatch };
          const body = { definition, baseVersion };
          const { data, etag = '' } = await sent(client.bots.saveDraft(botId, body, options).answer());
          return { tag: etag, at: data.updatedAt };
        },
        discard: (ifMatch) => sent(client.bots.discardDraft(botId, { ifMatch })),
        read: async () => (await sent(readServerDraft(client, botId))) ?? undefined,
      },
      tag,
      author: cache.getQueryData(sessionQuery.queryKey)?.id,
      sent: draft?.sent ?? [],
      begin: saving,
      onState: setSaving,
      onSending: () => latest.current.onSending(),
      onSaved: (text) => {
        latest.current.onSaved(text);
        // Lists of bots read it when they are opened. This screen would read it after each save.
        void cache.invalidateQueries({ queryKey: draftsQuery(workspace).queryKey, refetchType: 'none' });
      },
      onFollow: (theirs) => latest.current.onFollow(theirs),
      onGone: () => void cache.invalidateQueries({ queryKey: versionsQuery(workspace, botId).queryKey }),
    });
  });
  useEffect(() => () => saver?.close(), [saver]);
  useRetries(saver);
  useOthers(botId, saver);
  return { saver, saving };
}

/** Saves what has waited for the network or a session. */
function useRetries(saver: Saver | undefined): void {
  const isOnline = useOnline();
  const isOver = useSessionOver();
  useEffect(() => {
    if (isOnline && !isOver) saver?.retry();
  }, [saver, isOnline, isOver]);
}

/** Shows what others and other tabs do with the draft: they save another text, publish or discard it. */
function useOthers(botId: string, saver: Saver | undefined): void {
  const workspace = useWorkspace();
  const live = useLiveOptions();
  const { data, dataUpdatedAt } = useQuery({
    ...draftsQuery(workspace),
    ...live,
    enabled: saver !== undefined,
  });
  const entry = data?.find((one) => one.botId === botId);
  const savedAt = entry?.updatedAt;
  useEffect(() => {
    if (!saver || savedAt === undefined || savedAt === saver.savedAt) return;
    void readServerDraft(workspace.client, botId).then(
      (theirs) => theirs && saver.meet(theirs),
      // The next save meets it.
      () => undefined,
    );
  }, [saver, savedAt, workspace.client, botId]);
  const isGone = data !== undefined && entry === undefined;
  useEffect(() => {
    const tag = saver?.tag;
    if (!isGone || tag === undefined || saver?.isFlushed) return;
    // The list may be from before the first save.
    void readServerDraft(workspace.client, botId).then(
      (draft) => draft ?? saver?.lose(tag),
      () => undefined,
    );
  }, [saver, isGone, dataUpdatedAt, workspace.client, botId]);
}
