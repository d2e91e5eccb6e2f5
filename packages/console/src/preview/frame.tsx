import type { Branding } from '@parley/client';
import { useEffect, useRef } from 'react';
import { consolePath } from '../environment.ts';
import { useTexts } from '../texts/texts.tsx';
import type { Given, Shown } from './messages.ts';

/** The definition that is shown, and what the conversation starts with. */
export interface Run {
  /** The last part of the frame's address. Another one is another page. */
  id: string;
  /** A valid definition. */
  definition: Record<string, unknown>;
  context: Record<string, string>;
  advances: Given['advances'];
}

interface Props {
  run: Run;
  branding: Branding | null;
  onShown?(shown: Shown): void;
}

/** The page that customers see, with a conversation that the engine holds in it. Its key is the id of the run. */
export function PreviewFrame({ run, branding, onShown }: Props) {
  const { editor: t } = useTexts();
  const frame = useRef<HTMLIFrameElement>(null);
  useEffect(() => {
    const receive = ({ data, origin, source }: MessageEvent<{ isReady?: true; shown?: Shown }>): void => {
      const page = frame.current?.contentWindow;
      if (!page || source !== page || origin !== location.origin) return;
      if (data.shown) onShown?.(data.shown);
      if (data.isReady) page.postMessage(givenOf(run, branding), location.origin);
    };
    addEventListener('message', receive);
    return () => removeEventListener('message', receive);
  }, [run, branding, onShown]);
  return (
    <iframe
      ref={frame}
      title={t.previewFrame}
      src={`${consolePath}/preview/${run.id}`}
      className="h-[32rem] w-full rounded-md border border-line bg-panel"
    />
  );
}

/** Returns an id for a run: of another page than all before. */
export function newRunId(): string {
  return `${Date.now().toString(36)}-${Math.trunc(performance.now()).toString(36)}`;
}

function givenOf({ definition, context, advances }: Run, branding: Given['branding']): Given {
  const customer = { id: 'preview', firstName: '', lastName: '', email: '' };
  // An empty field is a property that is not given.
  const given = Object.fromEntries(Object.entries(context).filter(([, value]) => value !== ''));
  return { definition, beginning: { context: given, customer }, advances, branding };
}
