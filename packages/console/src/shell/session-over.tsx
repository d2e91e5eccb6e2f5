import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import { client } from '../data/client.ts';
import { goesOn } from '../data/session/goes-on.ts';
import { sessionQuery, setSessionOver, useSessionOver } from '../data/session/session.ts';
import { base, consolePath, portalPath, portalWorkspace } from '../environment.ts';
import { useTexts } from '../texts/texts.tsx';
import { Button, buttonClass } from '../ui/forms/button.tsx';

/** Says that the session has ended, above what is open. The forms below keep what was typed. */
export function SessionOver() {
  return useSessionOver() ? <SignInAgain /> : null;
}

const checkMs = 5_000;

/** Waits for a session, which another tab of the browser begins. Asks before somebody else goes on. */
function SignInAgain() {
  const { common, portal } = useTexts();
  const cache = useQueryClient();
  const { data: session, dataUpdatedAt } = useQuery({
    queryKey: ['session', 'again'],
    queryFn: ({ signal }) => client.session.get({ signal }),
    refetchInterval: checkMs,
    refetchOnWindowFocus: 'always',
    staleTime: 0,
    gcTime: 0,
  });
  const before = cache.getQueryData(sessionQuery.queryKey);
  const isSame = session && before && goesOn(session, before);
  const goOn = (): void => {
    if (session) cache.setQueryData(sessionQuery.queryKey, session);
    setSessionOver(false);
    void cache.invalidateQueries();
  };
  // After each read: an answer from before the sign-in may say once more that the session has ended.
  useEffect(() => {
    if (isSame) goOn();
  }, [isSame, dataUpdatedAt]);
  const isPortal = portalWorkspace !== undefined;
  if (session && !isSame) {
    const { name } = session;
    const words = isPortal
      ? { title: portal.otherLink, about: portal.otherLinkHow, action: portal.goOn }
      : {
          title: common.otherSession(name),
          about: `${common.otherSessionHow(before?.name ?? '')} ${name === before?.name ? common.sameName : ''}`,
          action: common.goOnAs(name),
        };
    return (
      <Notice title={words.title} about={words.about}>
        <Button kind="primary" onClick={goOn}>
          {words.action}
        </Button>
        <Button onClick={() => location.assign(isPortal ? portalPath : consolePath)}>{common.toStart}</Button>
      </Notice>
    );
  }
  if (isPortal) return <Notice title={portal.over} about={`${portal.overWhy} ${portal.overHow}`} />;
  return (
    <Notice title={common.sessionOver} about={common.sessionOverHow}>
      <a href={`${base}/console/sign-in`} target="_blank" rel="noreferrer" className={buttonClass('primary')}>
        {common.signInAgain}
      </a>
    </Notice>
  );
}

interface NoticeProps {
  title: string;
  about: string;
  children?: ReactNode;
}

/** A window of the browser above the console's, which hides the rest of the page. It cannot be closed. */
function Notice({ title, about, children }: NoticeProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const open = (): void => dialog.current?.showModal();
  useEffect(open, []);
  return createPortal(
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
      <h2 id="session-over" className="text-lg font-semibold break-words">
        {title}
      </h2>
      <p id="session-over-how" className="break-words text-quiet">
        {about}
      </p>
      <div className="flex flex-wrap gap-2">{children}</div>
    </dialog>,
    document.body,
  );
}
