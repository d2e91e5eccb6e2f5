import type { ComponentChildren, RefObject } from 'preact';
import { useId, useRef } from 'preact/hooks';
import type { Outgoing, Stage, Talk } from '../model.ts';
import { Composer } from './composer.tsx';
import type { Draft, Input } from './draft.ts';
import { Header } from './header.tsx';
import { useLanguage } from './language-context.ts';
import { Notice } from './notice.tsx';
import { noticeOf, statusOf } from './stage-notice.tsx';
import { StartButton } from './start-button.tsx';
import { type Entry, Teased } from './bubble.tsx';
import { type Pending, Transcript } from './transcript.tsx';
import { useFocusOn } from './use-focus-on.ts';
import { useTalk } from './use-talk.ts';

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
  const questionId = useId();
  const kept = useRef<{ stepId: string; draft: Draft | undefined }>(undefined);
  const shown = useShownTalk(talk, isShown, teaser);
  const { stage, snapshot, isOffline, botName, input, outgoing, question, notice } = shown;
  useFocusOn(panel, question);
  const entries = snapshot?.entries ?? [];
  return (
    <>
      <Header
        titleId={titleId}
        isPage={onClose === undefined}
        botName={talk.state.botName}
        progress={shown.progress}
        onClose={onClose}
      />
      <p class="hidden" role="status">
        {shown.status}
      </p>
      {isOffline && stage !== 'loading' && outgoing?.state !== 'waiting' && <OfflineStrip talk={talk} />}
      <div class="body">
        <Transcript
          entries={entries}
          pending={input && outgoing && pendingOf(outgoing, input, snapshot?.seq ?? 0)}
          onRetry={() => talk.retry()}
          botName={botName}
          questionId={questionId}
          isTyping={shown.isTyping}
        >
          {stage === 'ready' && teaser !== ''
            ? teaser && <Teased words={teaser} />
            : notice && <Notice {...notice} />}
        </Transcript>
        <footer>
          {input !== undefined && (
            <Composer
              key={question}
              input={input}
              talk={talk}
              outgoing={outgoing}
              questionId={questionId}
              kept={kept.current?.stepId === input.stepId ? kept.current.draft : undefined}
              onKeep={(draft) => (kept.current = { stepId: input.stepId, draft })}
            />
          )}
          {notice !== undefined && entries.length > 0 && <Notice {...notice} />}
          {stage === 'ready' && facts}
          <StageButton talk={talk} stage={stage} isOffline={isOffline} onStart={shown.start} />
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
  const input = stage === 'talking' ? (snapshot?.input ?? undefined) : undefined;
  // Ignores an answer to another question.
  const outgoing = state.outgoing?.stepId === input?.stepId ? state.outgoing : undefined;
  const notice = noticeOf({ ...state, botName }, wasHeld.current, language);
  const hasEntries = (snapshot?.entries.length ?? 0) > 0;
  const isWaiting =
    stage === 'loading' ||
    (stage === 'talking' && (input === undefined || outgoing?.state === 'sending')) ||
    (stage === 'ready' && teaser === undefined);
  const hasBegun = stage === 'talking' || stage === 'resumable';
  return {
    ...state,
    botName,
    input,
    outgoing,
    question: `${stage} ${input?.stepId} ${snapshot?.seq}`,
    notice,
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

function OfflineStrip({ talk }: { talk: Talk }) {
  const { say } = useLanguage();
  return (
    <div class="strip">
      <span>{say('offlineTitle')}</span>
      <button class="plain" type="button" onClick={() => talk.retry()}>
        {say('retry')}
      </button>
    </div>
  );
}

/** Starts or resumes the conversation, or loads it again. */
function StageButton(props: { talk: Talk; stage: Stage; isOffline: boolean; onStart: () => void }) {
  const { talk, stage, isOffline, onStart } = props;
  const { say } = useLanguage();
  if (stage === 'ready' || stage === 'resumable') {
    const label = say(stage === 'ready' ? 'start' : 'resume');
    return <StartButton key={stage} label={label} onStart={onStart} isOffline={isOffline} />;
  }
  if (stage !== 'loading' || !isOffline) return null;
  return (
    <button class="primary wide" type="button" onClick={() => talk.retry()}>
      {say('retry')}
    </button>
  );
}

/** Returns a pending answer as an entry. */
function pendingOf(outgoing: Outgoing, { type, max }: Input, seq: number): Pending | undefined {
  const { answer, words, state } = outgoing;
  if (state === 'refused') return undefined;
  const entry: Entry = { seq: seq + 1, type: 'customer', body: words, timestamp: Date.now() / 1000 };
  if ('skip' in answer) entry.skipped = true;
  if (type === 'nps' || type === 'rating') entry.outOf = Number(max);
  return { entry, isWaiting: state === 'waiting' };
}
