import { memo, Suspense, useEffect, useRef, useState } from 'react';
import { useBranding } from '../../../data/branding.ts';
import { PreviewFrame } from '../../../preview/frame.tsx';
import { newRunId, type Run } from '../../../preview/messages.ts';
import type { Shown } from '../../../preview/messages.ts';
import { useTexts } from '../../../texts/texts.tsx';
import { Button } from '../../../ui/forms/button.tsx';
import { TextField } from '../../../ui/forms/field.tsx';
import { part } from '../../../ui/part.tsx';
import { Section, Skeleton, SkeletonLines } from '../../../ui/states.tsx';
import { Status } from '../../interactions/status.tsx';
import { TryButton } from '../try-button.tsx';
import { contextNames } from './definition.ts';
import { Choices } from './trying/choices.tsx';
import type { From, Look, Trying } from './trying/use-trying.ts';

// The engine, which the page of the preview loads for itself.
const EmailForm = part(() => import('./trying/email-form.tsx'), 'EmailForm');

/** The pause in changes after which the conversation starts with them. */
const settledMs = 700;

interface Props {
  botId: string;
  /** The definition in the editor. Undefined while it has faults: the last valid one stays. */
  definition: Record<string, unknown> | undefined;
  /** Whether the text is checked as it is now, so that nobody types. */
  isSettled: boolean;
  trying: Trying;
}

/** Tries the definition: as the page of a conversation, as an e-mail, and on a real page. Not drawn with each key. */
export const Preview = memo(function Preview({ botId, definition, isSettled, trying }: Props) {
  const { editor: t } = useTexts();
  const { look, from, begin } = trying;
  const [context, setContext] = useState<Record<string, string>>({});
  const [locale, setLocale] = useState<string>();
  const [shown, setShown] = useState<Shown>();
  const run = useRun({ definition, isSettled, context, locale, from, advances: shown?.advances ?? [] });
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (from.isShown) place.current?.focus();
  }, [from]);
  useEffect(() => setShown(undefined), [from]);
  return (
    <div ref={place} tabIndex={-1} className="min-w-0">
      <Section
        title={t.preview}
        aside={
          run && (
            <Button isSmall onClick={() => begin({ ...from, isShown: false })}>
              {t.restart}
            </Button>
          )
        }
      >
        {run ? (
          <>
            <Choices {...{ trying, locale, setLocale }} definition={run.definition} />
            <Conversation run={run} look={look} setShown={setShown} />
            <p className="px-4 pb-3 text-xs text-quiet">{t.previewAbout}</p>
            <Context names={contextNames(run.definition)} context={context} setContext={setContext} />
            {shown && look !== 'email' && <State shown={shown} />}
          </>
        ) : (
          <p className="p-4 text-quiet">{t.previewFaulty}</p>
        )}
        <RealPage botId={botId} />
      </Section>
    </div>
  );
});

interface ConversationProps {
  run: Run;
  look: Look;
  setShown(shown: Shown): void;
}

/** The conversation as a page, or its first question as an e-mail. */
function Conversation({ run, look, setShown }: ConversationProps) {
  const { common } = useTexts();
  const branding = useBranding();
  return (
    <div className="p-3">
      {look === 'email' && (
        <Suspense fallback={<SkeletonLines count={8} label={common.loading} />}>
          <EmailForm run={run} branding={branding.data} />
        </Suspense>
      )}
      {/* It keeps its conversation. */}
      <div hidden={look === 'email'}>
        {branding.isLoading ? (
          // As high as the frame.
          <Skeleton className="h-[32rem]" />
        ) : (
          <PreviewFrame
            key={run.id}
            run={run}
            branding={branding.data ?? null}
            isPhone={look === 'phone'}
            onShown={setShown}
          />
        )}
      </div>
    </div>
  );
}

interface Wanted extends Pick<Run, 'context' | 'locale' | 'advances'> {
  definition: Record<string, unknown> | undefined;
  isSettled: boolean;
  from: From;
}

/** Returns the conversation that is shown. What is typed changes it after a pause, and a choice at once. */
function useRun(wanted: Wanted): Run | undefined {
  const { definition: valid, isSettled, context, locale, from, advances } = wanted;
  const last = useRef(valid);
  if (valid) last.current = valid;
  const definition = last.current;
  const latest = useRef(advances);
  latest.current = advances;
  const runOf = (valid: Record<string, unknown>, kept: Run['advances']): { run: Run; from: From } => {
    const run = { id: newRunId(), definition: valid, context, locale, beginsAt: from.stepId, advances: kept };
    return { from, run };
  };
  const [current, setCurrent] = useState(() => definition && runOf(definition, []));
  const { run } = current ?? {};
  const isTyped = run !== undefined && (run.definition !== definition || run.context !== context);
  const isChosen = run?.locale !== locale || current?.from !== from;
  useEffect(() => {
    if (!definition || (run && !isChosen && !(isTyped && isSettled))) return;
    const begin = (): void => setCurrent(runOf(definition, current?.from === from ? latest.current : []));
    const timer = setTimeout(begin, isTyped && !isChosen ? settledMs : 0);
    return () => clearTimeout(timer);
  }, [definition, context, locale, from, isTyped, isChosen, isSettled]);
  return run;
}

/** Tries the live version as a customer does, also on a phone. */
function RealPage({ botId }: { botId: string }) {
  const { editor: t } = useTexts();
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="space-y-2 border-t border-line px-4 py-3">
      <p className="text-xs text-quiet">{t.tryRealAbout}</p>
      <TryButton botId={botId} words={t.tryReal} isOpen={isOpen} setOpen={setOpen} />
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
