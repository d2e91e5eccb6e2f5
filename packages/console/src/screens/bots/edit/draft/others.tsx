import { useQuery } from '@tanstack/react-query';
import { Users } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { leavingClient } from '../../../../data/client.ts';
import { useOnline } from '../../../../data/online.ts';
import { useNames } from '../../../../data/people.ts';
import { liveMs } from '../../../../data/queries.ts';
import { sessionQuery, useSessionOver } from '../../../../data/session/session.ts';
import { useWorkspace } from '../../../../data/workspace.tsx';
import { useTexts } from '../../../../texts/texts.tsx';
import { Time } from '../../../../ui/time.tsx';
import { isForgotten, type Other, othersHere } from './others.ts';

/** Says who else has the editor of a bot open, and since when. As long as it is shown, others see this person. */
export function Others({ botId }: { botId: string }) {
  const { editor: t } = useTexts();
  const others = useOthers(botId);
  const names = useNames(others.flatMap(({ personId }) => personId ?? []));
  return (
    // On a phone, its line stays: the text must not jump when somebody comes.
    <p role="status" className="flex min-h-5 items-center gap-2 text-sm text-quiet max-sm:basis-full">
      {others.length > 0 && (
        <>
          <Users size={15} aria-hidden="true" className="shrink-0" />
          <span className="min-w-0 break-words">
            {t.alsoHere}{' '}
            {others.map(({ personId, since }, index) => (
              <span key={personId ?? ''}>
                {index > 0 && ' · '}
                <span className="font-medium text-ink">
                  {personId === undefined ? t.youElsewhere : (names[personId] ?? t.somebody)}
                </span>{' '}
                {t.since} <Time at={since} isTime={since.toDateString() === new Date().toDateString()} />
              </span>
            ))}
          </span>
        </>
      )}
    </p>
  );
}

/** Notes at the service that this tab has the editor open, every ten seconds, and returns who else has. */
function useOthers(botId: string): Other[] {
  const { id: workspaceId, client } = useWorkspace();
  const [presenceId] = useState(() => crypto.randomUUID());
  const { data: session } = useQuery({ ...sessionQuery, enabled: false });
  const isOver = useSessionOver();
  const isOnline = useOnline();
  const hiddenAt = useHiddenAt();
  const { data, isError } = useQuery({
    queryKey: [workspaceId, 'bot', botId, 'presences', presenceId],
    queryFn: async ({ signal }) =>
      (await client.bots.renewPresence(botId, { id: presenceId }, { signal })).presences,
    enabled: !isOver,
    refetchInterval: () => (isForgotten(hiddenAt.current, Date.now()) ? false : liveMs),
    // Windows behind others are hidden, too.
    refetchIntervalInBackground: true,
    refetchOnWindowFocus: 'always',
    staleTime: 0,
    gcTime: 0,
  });
  useEffect(() => {
    const leave = (): void => {
      // Without an answer, the service notices it after a while.
      leavingClient
        .workspace(workspaceId)
        .bots.endPresence(botId, presenceId)
        .catch(() => undefined);
    };
    addEventListener('pagehide', leave);
    return () => {
      removeEventListener('pagehide', leave);
      leave();
    };
  }, [workspaceId, botId, presenceId]);
  // What was true a while ago is not.
  return data && !isError && isOnline && !isOver
    ? othersHere(data, { presenceId, personId: session?.id })
    : [];
}

/** Since when the page is hidden. */
function useHiddenAt() {
  const hiddenAt = useRef<number>(undefined);
  useEffect(() => {
    const note = (): void => {
      hiddenAt.current = document.hidden ? Date.now() : undefined;
    };
    note();
    document.addEventListener('visibilitychange', note);
    return () => document.removeEventListener('visibilitychange', note);
  }, []);
  return hiddenAt;
}
