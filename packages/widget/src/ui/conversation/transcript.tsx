import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import type { ServerFault } from '../../model.ts';
import { Bubble, type Entry, Typing } from './bubble.tsx';
import { useLanguage } from '../language/language-context.ts';
import { Reference } from '../look/notice.tsx';
import { useUnreadInView } from './use-unread-in-view.ts';

/** An answer that the server does not have yet. */
export interface Pending {
  entry: Entry;
  /** What a failed one waits for before it is sent again. */
  waitsFor?: 'network' | 'server';
  serverFault?: ServerFault | undefined;
}

/**
 * The transcript, the only live region for entries. It exists from the start, so that the first entry is announced.
 * `questionId` is the id of the newest entry; `children` are shown without entries.
 */
export function Transcript(props: {
  entries: Entry[];
  pending: Pending | undefined;
  onRetry(): void;
  /** Undefined while no answer can be changed. */
  onRevise: ((stepId: string) => void) | undefined;
  botName: string;
  questionId: string;
  isTyping: boolean;
  children: ComponentChildren;
}) {
  const { entries, pending, onRetry, onRevise, botName, questionId, isTyping, children } = props;
  const { say, tag } = useLanguage();
  const scroller = useRef<HTMLDivElement>(null);
  const newest = entries.at(-1)?.seq;
  const said = pending === undefined ? entries : [...entries, pending.entry];
  useUnreadInView(scroller, said, isTyping);
  return (
    <div
      class={entries.length === 0 ? 'scroller brief' : 'scroller'}
      ref={scroller}
      role="log"
      aria-label={say('conversation')}
      tabIndex={0}
    >
      {entries.length === 0 && children}
      {(entries.length > 0 || isTyping) && (
        <div class="entries" lang={tag}>
          {said.map((entry, at) => (
            // A pending answer has its later number, so it keeps its element when it arrives.
            <Bubble
              key={entry.seq}
              entry={entry}
              botName={botName}
              isLast={said[at + 1]?.type !== entry.type}
              hasTime={minuteOf(said[at + 1]) !== minuteOf(entry) && entry !== pending?.entry}
              id={entry.seq === newest ? questionId : undefined}
              isPending={entry === pending?.entry}
              onRevise={onRevise}
            />
          ))}
          {pending?.waitsFor && <Unsent pending={pending} onRetry={onRetry} />}
          {isTyping && <Typing />}
        </div>
      )}
    </div>
  );
}

function Unsent({ pending, onRetry }: { pending: Pending; onRetry: () => void }) {
  const { say } = useLanguage();
  return (
    <div class="unsent">
      <div>
        <p>{say(pending.waitsFor === 'network' ? 'waiting' : 'waitingForServer')}</p>
        <Reference of={pending.serverFault} />
      </div>
      <button class="plain" type="button" onClick={onRetry}>
        {say('retry')}
      </button>
    </div>
  );
}

function minuteOf(entry: Entry | undefined): number | undefined {
  return entry && Math.floor(entry.timestamp / 60);
}
