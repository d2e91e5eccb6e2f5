import type { RefObject } from 'preact';
import { useId, useRef } from 'preact/hooks';
import type { Outgoing, Talk } from '../model.ts';
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

/**
 * A conversation, wherever it stands, inside of `panel`. `teaser` is shown before the start, undefined until it is
 * known; without `onClose` it is a page of its own.
 */
export function TalkScreen(props: {
  talk: Talk;
  panel: RefObject<HTMLElement | null>;
  titleId: string;
  isShown: boolean;
  teaser: string | undefined;
  onClose?: () => void;
}) {
  const { talk, panel, titleId, isShown, teaser, onClose } = props;
  const language = useLanguage();
  const { say } = language;
  const questionId = useId();
  const state = useTalk(talk, isShown);
  const { stage, snapshot, isOffline } = state;
  const botName = state.botName || say('bot');
  const kept = useRef<{ stepId: string; draft: Draft | undefined }>(undefined);
  const wasHeld = useRef(false);
  // One without a question has ended by its start.
  const start = () => {
    wasHeld.current = true;
    talk.start();
  };
  wasHeld.current ||= stage === 'talking';

  const input = stage === 'talking' ? (snapshot?.input ?? undefined) : undefined;
  // An answer to another question is no answer to this one.
  const outgoing = state.outgoing?.stepId === input?.stepId ? state.outgoing : undefined;
  const question = `${stage} ${input?.stepId} ${snapshot?.seq}`;
  useFocusOn(panel, question);

  const entries = snapshot?.entries ?? [];
  const notice = noticeOf({ ...state, botName }, wasHeld.current, language);
  const isWaiting =
    stage === 'loading' ||
    (stage === 'talking' && (input === undefined || outgoing?.state === 'sending')) ||
    (stage === 'ready' && teaser === undefined);
  const hasBegun = stage === 'talking' || stage === 'resumable';
  const isStart = stage === 'ready' || stage === 'resumable';
  const isInTranscript = entries.length > 0;
  const before =
    stage === 'ready' && teaser !== ''
      ? teaser && <Teased words={teaser} />
      : notice && <Notice {...notice} />;
  const pending = input && outgoing && pendingOf(outgoing, input, snapshot?.seq ?? 0);
  const status = statusOf({ ...state, botName }, isInTranscript ? notice?.title : undefined, language);
  return (
    <>
      <Header
        titleId={titleId}
        isPage={onClose === undefined}
        botName={state.botName}
        progress={hasBegun || isInTranscript ? snapshot?.progress : undefined}
        onClose={onClose}
      />
      <p class="hidden" role="status">
        {status}
      </p>
      {isOffline && stage !== 'loading' && outgoing?.state !== 'waiting' && (
        <div class="strip">
          <span>{say('offlineTitle')}</span>
          <button class="plain" type="button" onClick={() => talk.retry()}>
            {say('retry')}
          </button>
        </div>
      )}
      <div class="body">
        <Transcript
          entries={entries}
          pending={pending}
          onRetry={() => talk.retry()}
          botName={botName}
          questionId={questionId}
          isTyping={isWaiting && (notice === undefined || stage === 'ready')}
        >
          {before}
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
          {notice !== undefined && isInTranscript && <Notice {...notice} />}
          {isStart && (
            <StartButton
              key={stage}
              label={say(stage === 'ready' ? 'start' : 'resume')}
              onStart={start}
              isOffline={isOffline}
            />
          )}
          {stage === 'loading' && isOffline && (
            <button class="primary wide" type="button" onClick={() => talk.retry()}>
              {say('retry')}
            </button>
          )}
        </footer>
      </div>
    </>
  );
}

/** An answer on its way, as the entry that it will be. */
function pendingOf(outgoing: Outgoing, { type, max }: Input, seq: number): Pending | undefined {
  const { answer, words, state } = outgoing;
  if (state === 'refused') return undefined;
  const entry: Entry = { seq: seq + 1, type: 'customer', body: words, timestamp: Date.now() / 1000 };
  if ('skip' in answer) entry.skipped = true;
  if (type === 'nps' || type === 'rating') entry.outOf = Number(max);
  return { entry, isWaiting: state === 'waiting' };
}
