import { useEffect, useRef, useState } from 'react';
import { useBranding } from '../../../data/branding.ts';
import { PreviewFrame } from '../../../preview/frame.tsx';
import { newRunId, type Run } from '../../../preview/messages.ts';
import type { Shown } from '../../../preview/messages.ts';
import { useTexts } from '../../../texts/texts.tsx';
import { Button } from '../../../ui/forms/button.tsx';
import { TextField } from '../../../ui/forms/field.tsx';
import { Section } from '../../../ui/states.tsx';
import { Status } from '../../interactions/status.tsx';
import { contextNames } from './definition.ts';

/** The pause in changes after which the conversation starts with them. */
const settledMs = 700;

interface Props {
  /** The definition in the editor. Undefined while it has faults: the last valid one stays. */
  definition: Record<string, unknown> | undefined;
}

export function Preview({ definition }: Props) {
  const { editor: t } = useTexts();
  const branding = useBranding();
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
      () => setRun({ id: newRunId(), definition, context, advances: latest.current }),
      run ? settledMs : 0,
    );
    return () => clearTimeout(timer);
  }, [definition, context, isCurrent]);
  const restart = (): void => {
    setShown(undefined);
    setRun(run && { ...run, id: newRunId(), advances: [] });
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
          <div className="p-3">
            {!branding.isLoading && (
              <PreviewFrame key={run.id} run={run} branding={branding.data ?? null} onShown={setShown} />
            )}
          </div>
          <Context names={contextNames(run.definition)} context={context} setContext={setContext} />
          {shown && <State shown={shown} />}
        </>
      ) : (
        <p className="p-4 text-quiet">{t.previewFaulty}</p>
      )}
    </Section>
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
    ...answers.map(({ name, value }) => [`${t.states.answers}: ${name}`, value]),
    ...evaluation.map(({ name, value }) => [`${t.states.evaluation}: ${name}`, value]),
  ];
  return (
    <div className="border-t border-line px-4 py-3">
      <p role="status">
        <Status status={status} />
      </p>
      <dl className="mt-2 grid grid-cols-[auto_1fr] wrap-anywhere gap-x-4 gap-y-1 text-xs">
        {rows.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-quiet">{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {notes.length > 0 && <p className="mt-2 text-xs text-quiet">{t.previewNotes}</p>}
    </div>
  );
}
