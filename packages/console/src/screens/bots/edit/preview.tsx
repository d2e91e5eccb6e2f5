import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useWorkspace } from '../../../data/workspace.tsx';
import { consolePath } from '../../../environment.ts';
import type { Given, Shown } from '../../../preview/messages.ts';
import { useTexts } from '../../../texts/texts.tsx';
import { Button } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/field.tsx';
import { Section } from '../../../ui/states.tsx';
import { Status } from '../../interactions/status.tsx';

/** The pause in changes after which the conversation starts with them. */
const settledMs = 700;

/** The definition that is shown, and what the conversation starts with. */
interface Run {
  /** The last part of the frame's address. Another one is another page. */
  id: string;
  definition: Record<string, unknown>;
  context: Record<string, string>;
  advances: Given['advances'];
}

interface Props {
  /** The definition in the editor. Undefined while it has faults: the last valid one stays. */
  definition: Record<string, unknown> | undefined;
}

/** The conversation as customers see it, in a frame, by the engine. */
export function Preview({ definition }: Props) {
  const { editor: t } = useTexts();
  const [context, setContext] = useState<Record<string, string>>({});
  const [run, setRun] = useState<Run>();
  const [shown, setShown] = useState<Shown>();
  const advances = shown?.advances ?? [];
  const latest = useRef(advances);
  latest.current = advances;
  const isCurrent = run?.definition === definition && run?.context === context;
  useEffect(() => {
    if (!definition || isCurrent) return;
    const timer = setTimeout(
      () => setRun({ id: newId(), definition, context, advances: latest.current }),
      run ? settledMs : 0,
    );
    return () => clearTimeout(timer);
  }, [definition, context, isCurrent]);
  const restart = (): void => {
    setShown(undefined);
    setRun(run && { ...run, id: newId(), advances: [] });
  };
  return (
    <Section
      title={t.preview}
      aside={
        run && (
          <Button isSmall onClick={restart}>
            {t.restart}
          </Button>
        )
      }
    >
      <p className="px-4 pt-3 text-xs text-quiet">{t.previewAbout}</p>
      {run ? (
        <>
          <Frame key={run.id} run={run} onShown={setShown} />
          <Context names={namesOf(run.definition)} context={context} setContext={setContext} />
          {shown && <State shown={shown} />}
        </>
      ) : (
        <p className="p-4 text-quiet">{t.previewFaulty}</p>
      )}
    </Section>
  );
}

function Frame({ run, onShown }: { run: Run; onShown(shown: Shown): void }) {
  const { editor: t } = useTexts();
  const { id, client, can } = useWorkspace();
  const frame = useRef<HTMLIFrameElement>(null);
  const branding = useQuery({
    queryKey: [id, 'branding'],
    queryFn: ({ signal }) => client.branding.get({ signal }),
    enabled: can('workspace:read'),
    staleTime: 60_000,
  });
  const isLoaded = !branding.isLoading;
  useEffect(() => {
    const receive = ({ data, origin, source }: MessageEvent<{ isReady?: true; shown?: Shown }>): void => {
      const page = frame.current?.contentWindow;
      if (!page || source !== page || origin !== location.origin) return;
      if (data.shown) onShown(data.shown);
      if (data.isReady) page.postMessage(givenOf(run, branding.data ?? null), location.origin);
    };
    addEventListener('message', receive);
    return () => removeEventListener('message', receive);
  }, [run, branding.data]);
  return (
    <div className="p-3">
      {isLoaded && (
        <iframe
          ref={frame}
          title={t.previewFrame}
          src={`${consolePath}/preview/${run.id}`}
          className="h-[32rem] w-full rounded-md border border-line bg-panel"
        />
      )}
    </div>
  );
}

function Context({
  names,
  context,
  setContext,
}: {
  names: string[];
  context: Record<string, string>;
  setContext(context: Record<string, string>): void;
}) {
  const { editor: t } = useTexts();
  if (names.length === 0) return null;
  return (
    <details className="border-t border-line px-4 py-3">
      <summary className="cursor-pointer font-medium">{t.previewContext}</summary>
      <div className="mt-3 space-y-3">
        {names.map((name) => (
          <TextField
            key={name}
            label={name}
            value={context[name] ?? ''}
            onChange={(value) => setContext({ ...context, [name]: value })}
          />
        ))}
      </div>
    </details>
  );
}

/** What the conversation has stored so far. */
function State({ shown: { status, stepId, answers, evaluation, notes } }: { shown: Shown }) {
  const { editor: t } = useTexts();
  const rows = [
    ...(stepId === null ? [] : [[t.states.step, stepId]]),
    ...Object.entries(answers).map(([name, value]) => [`${t.states.answers}: ${name}`, textOf(value)]),
    ...Object.entries(evaluation).map(([name, value]) => [`${t.states.evaluation}: ${name}`, textOf(value)]),
  ];
  return (
    <div className="border-t border-line px-4 py-3" aria-live="polite">
      <Status status={status} />
      <dl className="mt-2 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-xs">
        {rows.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-quiet">{name}</dt>
            <dd className="min-w-0 break-words">{value}</dd>
          </div>
        ))}
      </dl>
      {notes.length > 0 && <p className="mt-2 text-xs text-quiet">{t.previewNotes}</p>}
    </div>
  );
}

function givenOf({ definition, context, advances }: Run, branding: Given['branding']): Given {
  const customer = { id: 'preview', firstName: '', lastName: '', email: '' };
  // An empty field is a property that is not given.
  const given = Object.fromEntries(Object.entries(context).filter(([, value]) => value !== ''));
  return { definition, beginning: { context: given, customer }, advances, branding };
}

function namesOf({ context }: Record<string, unknown>): string[] {
  return Array.isArray(context) ? context.map(({ name }: { name: string }) => name) : [];
}

function textOf(value: unknown): string {
  return Array.isArray(value) ? value.join(', ') : String(value);
}

function newId(): string {
  return `${Date.now().toString(36)}-${Math.trunc(performance.now()).toString(36)}`;
}
