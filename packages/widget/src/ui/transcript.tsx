import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { TalkState } from '../model.ts';
import { useLanguage } from './language-context.ts';
import { Said } from './said.tsx';

type Entry = NonNullable<TalkState['snapshot']>['entries'][number];

/**
 * The talk so far: the one live region for what is said, there from the beginning so that the first words are announced.
 * `questionId` names the newest entry; `children` are shown before there is one.
 */
export function Transcript(props: {
  entries: Entry[];
  botName: string;
  questionId: string;
  isTyping: boolean;
  children: ComponentChildren;
}) {
  const { entries, botName, questionId, isTyping, children } = props;
  const { say, tag } = useLanguage();
  const scroller = useRef<HTMLDivElement>(null);
  const newest = entries.at(-1)?.seq;
  useLayoutEffect(() => {
    // The column runs upwards (flex-direction), so this is its lower end.
    scroller.current?.scrollTo({ top: 0 });
    // In a low window the body scrolls instead, with the footer: to the question, which the answer is below.
    const body = scroller.current?.closest('.body');
    const question = scroller.current?.querySelector<HTMLElement>('.entry:last-child');
    if (question instanceof HTMLElement) body?.scrollTo({ top: question.offsetTop - 72 });
  }, [newest, isTyping]);
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
          {entries.map((entry, at) => (
            <Bubble
              key={entry.seq}
              entry={entry}
              botName={botName}
              isLast={entries[at + 1]?.type !== entry.type}
              id={entry.seq === newest ? questionId : undefined}
            />
          ))}
          {isTyping && <Typing />}
        </div>
      )}
    </div>
  );
}

/** How the bot is going to begin. */
export function Teased({ words }: { words: string }) {
  return (
    <div class="entries">
      <div class="entry bot last">
        <div class="bubble" dir="auto">
          {words}
        </div>
      </div>
    </div>
  );
}

/** Three dots, for eyes only. */
function Typing() {
  return (
    <div class="entry bot typing" aria-hidden="true">
      <div class="bubble">
        <i />
        <i />
        <i />
      </div>
    </div>
  );
}

function Bubble(props: { entry: Entry; botName: string; isLast: boolean; id: string | undefined }) {
  const { entry, botName, isLast, id } = props;
  const { say, time } = useLanguage();
  const isBot = entry.type === 'bot';
  return (
    <div class={`entry ${entry.type} ${isLast ? 'last' : ''}`}>
      <span class="hidden">{isBot ? botName : say('you')}: </span>
      <div class="bubble" id={id} dir="auto">
        {isBot ? <Said words={entry.body} /> : entry.body}
      </div>
      <time class={isLast ? '' : 'hidden'} dateTime={new Date(entry.timestamp * 1000).toISOString()}>
        {time(entry.timestamp, Date.now() / 1000)}
      </time>
    </div>
  );
}
