import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { client } from '../data/client.ts';
import { sessionQuery, setSessionOver, useSessionOver } from '../data/session.ts';
import { base, portalWorkspace } from '../environment.ts';
import { useTexts } from '../texts/texts.tsx';
import { buttonClass } from '../ui/button.tsx';

/** Says that the session has ended, above what is open. The forms below keep what was typed. */
export function SessionOver() {
  return useSessionOver() ? <SignInAgain /> : null;
}

const checkMs = 5_000;

/** Waits for a session of the same person, which another tab of the browser begins. */
function SignInAgain() {
  const { common, portal } = useTexts();
  const cache = useQueryClient();
  const dialog = useRef<HTMLDialogElement>(null);
  const { data: session } = useQuery({
    queryKey: ['session', 'again'],
    queryFn: ({ signal }) => client.session.get({ signal }),
    refetchInterval: checkMs,
    refetchOnWindowFocus: 'always',
    staleTime: 0,
    gcTime: 0,
  });
  const open = (): void => dialog.current?.showModal();
  useEffect(open, []);
  useEffect(() => {
    if (!session) return;
    const { queryKey } = sessionQuery;
    // What was typed is not of another person. Each link of the portal has its own id.
    if (portalWorkspace === undefined && cache.getQueryData(queryKey)?.id !== session.id) location.reload();
    cache.setQueryData(queryKey, session);
    setSessionOver(false);
    void cache.invalidateQueries();
  }, [session, cache]);
  const isPortal = portalWorkspace !== undefined;
  return (
    <dialog
      ref={dialog}
      role="alertdialog"
      aria-labelledby="session-over"
      aria-describedby="session-over-how"
      className="card m-auto max-w-md space-y-3 p-5 text-ink shadow-2xl backdrop:bg-black/45"
      onCancel={(event) => event.preventDefault()}
      // Browsers close it at the second Escape.
      onClose={open}
    >
      <h2 id="session-over" className="text-lg font-semibold">
        {isPortal ? portal.over : common.sessionOver}
      </h2>
      <p id="session-over-how" className="text-quiet">
        {isPortal ? `${portal.overWhy} ${portal.overHow}` : common.sessionOverHow}
      </p>
      {!isPortal && (
        <a
          href={`${base}/console/sign-in`}
          target="_blank"
          rel="noreferrer"
          className={buttonClass('primary')}
        >
          {common.signInAgain}
        </a>
      )}
    </dialog>
  );
}
