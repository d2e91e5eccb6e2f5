import type { Branding } from '@parley/client';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { consolePath } from '../environment.ts';
import { useTexts } from '../texts/texts.tsx';
import { Button } from '../ui/forms/button.tsx';
import { classes } from '../ui/classes.ts';
import { Skeleton } from '../ui/states.tsx';
import { answerAt, beginRun, shownOf } from './conversation.ts';
import type { Given, PreviewMessage, Run, Shown } from './messages.ts';

interface Props {
  run: Run;
  branding: Branding | null;
  /** Whether it is as wide as a phone. Default: as its place. */
  isPhone?: boolean;
  onShown?(shown: Shown): void;
}

type State = 'loading' | 'loaded' | 'ready' | 'failed';

/** How long the first message of a loaded page may take. */
const readyMs = 1_000;

/** The page that customers see, with a conversation that the engine holds here. Its key is the id of the run. */
export function PreviewFrame({ run, branding, isPhone = false, onShown }: Props) {
  const { editor: t, problems } = useTexts();
  const frame = useRef<HTMLIFrameElement>(null);
  const [state, setState] = useState<State>('loading');
  const [tries, setTries] = useState(0);
  useConversation(frame, { run, branding, onShown, tries }, setState);
  // A page that has failed to load is loaded, too, but says nothing.
  useEffect(() => {
    if (state !== 'loaded') return;
    const timer = setTimeout(() => setState('failed'), readyMs);
    return () => clearTimeout(timer);
  }, [state]);
  if (state === 'failed') {
    return (
      <div role="alert" className={classes(place, 'flex flex-col items-center justify-center gap-3')}>
        <p>{t.previewFailed}</p>
        <Button
          onClick={() => {
            setTries(tries + 1);
            setState('loading');
          }}
        >
          {problems.retry}
        </Button>
      </div>
    );
  }
  return (
    <div className={classes('relative', isPhone && phone)}>
      <iframe
        ref={frame}
        title={t.previewFrame}
        src={`${consolePath}/preview/${run.id}`}
        className={classes(place, 'block')}
        onLoad={() => setState((now) => (now === 'loading' ? 'loaded' : now))}
      />
      {state !== 'ready' && <Skeleton className="absolute inset-0" />}
    </div>
  );
}

/** With its border, the page inside is 360 pixels wide. */
const phone = 'mx-auto w-[362px] max-w-full';
const place = 'h-[32rem] w-full rounded-md border border-line bg-panel';

interface Held extends Pick<Props, 'run' | 'branding'> {
  onShown: Props['onShown'] | undefined;
  /** Another number begins again. */
  tries: number;
}

/** Holds the conversation of a run, and answers the page in the frame. */
function useConversation(
  frame: RefObject<HTMLIFrameElement | null>,
  { run, branding, onShown, tries }: Held,
  setState: (state: State) => void,
): void {
  const latest = useRef({ branding, onShown });
  latest.current = { branding, onShown };
  useEffect(() => {
    const ended = new AbortController();
    const { signal } = ended;
    const fail = (): void => {
      if (!signal.aborted) setState('failed');
    };
    const begun = beginRun(run, signal);
    const follow = async (): Promise<void> => {
      const conversation = await begun;
      if (!conversation || signal.aborted) return;
      const report = (): void => latest.current.onShown?.(shownOf(conversation));
      conversation.addEventListener('change', report, { signal });
      report();
    };
    const receive = async ({ data, ports: [port] }: MessageEvent<PreviewMessage>): Promise<void> => {
      if (data.hasFailed) fail();
      if (data.isReady) setState('ready');
      const conversation = await begun;
      if (!conversation || signal.aborted) return;
      const given: Given = { locale: run.locale, branding: latest.current.branding };
      if (data.isReady) frame.current?.contentWindow?.postMessage(given, location.origin);
      if (data.call && port) await answerAt(port, conversation, data.call, signal);
    };
    const onMessage = (event: MessageEvent<PreviewMessage>): void => {
      const isOfPage = event.source !== null && event.source === frame.current?.contentWindow;
      if (isOfPage && event.origin === location.origin) receive(event).catch(fail);
    };
    addEventListener('message', onMessage, { signal });
    follow().catch(fail);
    return () => ended.abort();
  }, [run, tries]);
}
