import type { ComponentChildren, RefObject } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { epochMs } from '../../page/epoch-ms.ts';
import type { Outgoing, Talk, TalkState } from '../../model.ts';
import { Composer } from '../questions/composer.tsx';
import type { Draft, Input } from '../questions/draft.ts';
import { fieldOf, useField } from '../questions/types.ts';
import { Header } from './header.tsx';
import { useLanguage } from '../language/language-context.ts';
import { Notice, Reference } from '../look/notice.tsx';
import { noticeOf, outageOf, statusOf } from './stage-notice.tsx';
import { StageButton } from './stage-button.tsx';
import { type Entry, Teased } from './bubble.tsx';
import { type Pending, Transcript } from './transcript.tsx';
import { focusedIn, focusFirst } from '../dom/focus.ts';

interface TalkScreenProps {
  talk: Talk;
  panel: RefObject<HTMLElement | null>;
  titleId: string;
  isShown: boolean;
  teaser: string | undefined;
  facts?: ComponentChildren;
  onClose?: () => void;
}

/**
 * A conversation in any stage, inside of `panel`. `teaser` is shown before the start, undefined until it is known.
 * `facts` are shown above the button that starts it. Without `onClose` it is a page of its own.
 */
export function TalkScreen(props: TalkScreenProps) {
  const { talk, panel, titleId, isShown, teaser, facts, onClose } = props;
  const kept = useRef<{ stepId: string; draft: Draft | undefined }>(undefined);
  const shown = useShownTalk(talk, isShown, teaser);
  const { stage, snapshot, entries, botName, input, outgoing, question, notice } = shown;
  useFocusOn(panel, question, shown.revised !== undefined);
  return (
    <>
      <Header
        titleId={titleId}
        isPage={onClose === undefined}
        botName={talk.state.botName}
        isTest={snapshot?.isTest === true}
        progress={shown.progress}
        onClose={onClose}
      />
      <p class="hidden" role="status">
        {shown.status}
      </p>
      <OutageStrip talk={talk} state={shown} />
      <div class="body">
        <Transcript
          entries={entries}
          pending={input && outgoing && pendingOf(shown, outgoing, input)}
          onRetry={() => talk.retry()}
          onRevise={shown.canRevise ? (stepId) => talk.revise(stepId) : undefined}
          botName={botName}
          questionId={shown.questionId}
          isTyping={shown.isTyping}
        >
          {stage === 'ready' && teaser !== ''
            ? teaser && <Teased words={teaser} />
            : notice && <Notice {...notice} />}
        </Transcript>
        <footer>
          {shown.revised && <Revised entries={entries} revised={shown.revised} id={shown.revisedId} />}
          <NotLoaded retry={shown.field.retry} onRetry={() => (kept.current = undefined)} />
          {input !== undefined && shown.field.isThere && (
            <Composer
              key={question}
              input={input}
              talk={talk}
              outgoing={outgoing}
              serverFault={shown.serverFault}
              questionId={shown.revised ? shown.revisedId : shown.questionId}
              kept={kept.current?.stepId === input.stepId ? kept.current.draft : undefined}
              onKeep={(draft) => (kept.current = { stepId: input.stepId, draft })}
            />
          )}
          {shown.canRevise && (
            <Steps talk={talk} entries={entries} revised={shown.revised} isPage={onClose === undefined} />
          )}
          {notice !== undefined && entries.length > 0 && <Notice {...notice} />}
          {stage === 'ready' && facts}
          <StageButton talk={talk} stage={stage} isOffline={shown.isOffline} onStart={shown.start} />
        </footer>
      </div>
    </>
  );
}

/** The state of the conversation with the values that the screen derives from it. */
function useShownTalk(talk: Talk, isShown: boolean, teaser: string | undefined) {
  const language = useLanguage();
  const state = useTalk(talk, isShown);
  const { stage, snapshot } = state;
  const botName = state.botName || language.say('bot');
  const wasHeld = useRef(false);
  wasHeld.current ||= stage === 'talking';
  const input = stage === 'talking' ? (state.revising ?? snapshot?.input ?? undefined) : undefined;
  const isRevised = ({ stepId, canRevise }: Entry) => canRevise && stepId === state.revising?.stepId;
  const revised = snapshot?.entries.findLast(isRevised);
  // Ignores an answer to another question.
  const outgoing = state.outgoing?.stepId === input?.stepId ? state.outgoing : undefined;
  const notice = noticeOf({ ...state, botName }, wasHeld.current, language);
  const field = useField(input);
  const hasEntries = (snapshot?.entries.length ?? 0) > 0;
  const isWaiting =
    stage === 'loading' ||
    (stage === 'talking' && (input === undefined || outgoing?.state === 'sending')) ||
    (stage === 'ready' && teaser === undefined);
  const hasBegun = stage === 'talking' || stage === 'resumable';
  return {
    ...state,
    entries: snapshot?.entries ?? [],
    botName,
    input,
    outgoing,
    questionId: useId(),
    revised,
    revisedId: useId(),
    canRevise: stage === 'talking' && outgoing?.state !== 'sending' && outgoing?.state !== 'waiting',
    field,
    question: `${stage} ${input?.stepId} ${snapshot?.seq} ${field.isThere} ${revised === undefined}`,
    notice: notice && { ...notice, serverFault: state.serverFault },
    status: statusOf({ ...state, botName }, hasEntries ? notice?.title : undefined, language),
    progress: hasBegun || hasEntries ? snapshot?.progress : undefined,
    isTyping: isWaiting && (notice === undefined || stage === 'ready'),
    start() {
      // A conversation without a question ends with its start.
      wasHeld.current = true;
      talk.start();
    },
  };
}

/** Names the answer that is to be changed, with its question. */
function Revised({ entries, revised, id }: { entries: Entry[]; revised: Entry; id: string }) {
  const { say } = useLanguage();
  const asked = entries.findLast(({ seq, type }) => seq < revised.seq && type === 'bot');
  return (
    <p class="revised" id={id} dir="auto">
      <b>{say('changeTitle')}</b> {asked?.body}
    </p>
  );
}

/** Goes back to the answer before, on a page, and from there to the current question. */
function Steps(props: { talk: Talk; entries: Entry[]; revised: Entry | undefined; isPage: boolean }) {
  const { talk, entries, revised, isPage } = props;
  const { say } = useLanguage();
  const { stepId } =
    entries.findLast(({ seq, canRevise }) => canRevise && (!revised || seq < revised.seq)) ?? {};
  return (
    <div class="steps">
      {isPage && stepId && (
        <button class="plain" type="button" onClick={() => talk.revise(stepId)}>
          {say('back')}
        </button>
      )}
      {revised && (
        <button class="plain" type="button" onClick={() => talk.revise(null)}>
          {say('cancel')}
        </button>
      )}
    </div>
  );
}

/** Says that the conversation cannot continue now, unless another part of the screen does. */
function OutageStrip({ talk, state }: { talk: Talk; state: TalkState }) {
  const { isOffline, stage, outgoing, serverFault } = state;
  const language = useLanguage();
  if (!isOffline || stage === 'loading' || outgoing?.state === 'waiting') return null;
  return (
    <Strip text={outageOf({ serverFault }, language)} onRetry={() => talk.retry()}>
      <Reference of={serverFault} />
    </Strip>
  );
}

/** Says that the field of a question could not be loaded. */
function NotLoaded({ retry, onRetry }: { retry: (() => void) | undefined; onRetry: () => void }) {
  const { say } = useLanguage();
  if (retry === undefined) return null;
  const load = () => {
    onRetry();
    retry();
  };
  return <Strip text={say('notLoaded')} role="status" onRetry={load} />;
}

function Strip(props: { text: string; role?: 'status'; onRetry: () => void; children?: ComponentChildren }) {
  const { say } = useLanguage();
  return (
    <div class="strip">
      <div>
        <p role={props.role}>{props.text}</p>
        {props.children}
      </div>
      <button class="plain" type="button" onClick={props.onRetry}>
        {say('retry')}
      </button>
    </div>
  );
}

function pendingOf(
  { snapshot, isOffline, serverFault }: TalkState,
  outgoing: Outgoing,
  input: Input,
): Pending | undefined {
  const { answer, words, state } = outgoing;
  if (state === 'refused') return undefined;
  const seq = (snapshot?.seq ?? 0) + 1;
  const entry: Entry = { seq, type: 'customer', body: words, timestamp: epochMs() / 1000 };
  if ('skip' in answer) entry.skipped = true;
  if (fieldOf(input).isScale) entry.outOf = Number(input.max);
  if (state !== 'waiting') return { entry };
  return { entry, waitsFor: isOffline && !serverFault ? 'network' : 'server', serverFault };
}

function useTalk(talk: Talk, isShown: boolean): TalkState {
  const [state, setState] = useState(talk.state);
  useLayoutEffect(() => {
    if (!isShown) return undefined;
    const end = talk.subscribe(() => setState(talk.state));
    setState(talk.state);
    return end;
  }, [talk, isShown]);
  return state;
}

/**
 * Moves the focus to the next question when `key` changes, if the focus was in the footer, which renders again, or on
 * the panel itself, and always with `moves`. A focus elsewhere is unchanged.
 */
function useFocusOn(panel: RefObject<HTMLElement | null>, key: string, moves: boolean): void {
  const known = useRef(key);
  // Read while rendering: afterwards the element with the focus is gone.
  const focused = panel.current === null ? null : focusedIn(panel.current);
  const isHeld = focused !== null && (focused === panel.current || focused.closest('footer') !== null);
  useLayoutEffect(() => {
    if (known.current === key) return;
    known.current = key;
    if ((isHeld || moves) && panel.current !== null) focusFirst(panel.current);
  });
}
