import type { Branding } from '@parley/client';
import { useEffect, useRef, useState } from 'react';
import { consolePath } from '../environment.ts';
import { useTexts } from '../texts/texts.tsx';
import { Button } from '../ui/forms/button.tsx';
import { classes } from '../ui/classes.ts';
import { Skeleton } from '../ui/states.tsx';
import { givenOf, type PreviewMessage, type Run, type Shown } from './messages.ts';

interface Props {
  run: Run;
  branding: Branding | null;
  /** Whether it is as wide as a phone. Default: as its place. */
  isPhone?: boolean;
  onShown?(shown: Shown): void;
}

/** How long the first message of a loaded page may take. */
const readyMs = 1_000;

/** The page that customers see, with a conversation that the engine holds in it. Its key is the id of the run. */
export function PreviewFrame({ run, branding, isPhone = false, onShown }: Props) {
  const { editor: t, problems } = useTexts();
  const frame = useRef<HTMLIFrameElement>(null);
  const [state, setState] = useState<'loading' | 'loaded' | 'ready' | 'failed'>('loading');
  useEffect(() => {
    const receive = ({ data, origin, source }: MessageEvent<PreviewMessage>): void => {
      const page = frame.current?.contentWindow;
      if (!page || source !== page || origin !== location.origin) return;
      if (data.shown) onShown?.(data.shown);
      if (data.hasFailed) setState('failed');
      if (!data.isReady) return;
      setState('ready');
      page.postMessage(givenOf(run, branding), location.origin);
    };
    addEventListener('message', receive);
    return () => removeEventListener('message', receive);
  }, [run, branding, onShown]);
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
        <Button onClick={() => setState('loading')}>{problems.retry}</Button>
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
