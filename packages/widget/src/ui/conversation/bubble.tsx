import type { ComponentChildren } from 'preact';
import { epochMs } from '../../page/epoch-ms.ts';
import type { TalkState } from '../../model.ts';
import { Avatar } from '../look/avatar.tsx';
import { useLanguage } from '../language/language-context.ts';
import { Said } from './said.tsx';
import { ScaleAnswer } from '../questions/fields/scale-answer.tsx';

/** One line of the conversation. */
export type Entry = NonNullable<TalkState['snapshot']>['entries'][number];

/** An entry, with its time below where `hasTime`. `isLast`: the last of consecutive entries of one speaker. */
export function Bubble(props: {
  entry: Entry;
  botName: string;
  isLast: boolean;
  hasTime: boolean;
  id?: string | undefined;
  /** The server does not have it yet. */
  isPending?: boolean;
  onRevise?: ((stepId: string) => void) | undefined;
}) {
  const { entry, botName, isLast, hasTime, id, isPending = false, onRevise } = props;
  const { stepId, canRevise, withdrawn } = entry;
  const { say, time } = useLanguage();
  const Line = withdrawn ? 's' : 'span';
  const isBot = entry.type === 'bot';
  return (
    <div class={`entry ${entry.type} ${isLast ? 'last' : ''} ${isPending ? 'pending' : ''}`}>
      <span class="hidden">
        {withdrawn && `${say('withdrawn')}. `}
        {isBot ? botName : say('you')}:{' '}
      </span>
      <div class="line">
        {isBot && isLast && <Avatar />}
        <div class={entry.skipped ? 'bubble skipped' : 'bubble'} id={id} dir="auto">
          <Line>
            <Body entry={entry} />
          </Line>
        </div>
      </div>
      {canRevise && stepId && onRevise && (
        <button
          class="plain change"
          type="button"
          aria-label={`${say('change')}: ${entry.skipped ? say('skipped') : entry.body}`}
          onClick={() => onRevise(stepId)}
        >
          {say('change')}
        </button>
      )}
      {hasTime && (
        <time dateTime={new Date(entry.timestamp * 1000).toISOString()}>
          {time(entry.timestamp, epochMs() / 1000)}
        </time>
      )}
    </div>
  );
}

function Body({ entry: { type, body, skipped, outOf } }: { entry: Entry }) {
  const { say, day } = useLanguage();
  if (type === 'bot') return <Said words={body} />;
  if (skipped) return <>{say('skipped')}</>;
  // An anonymised answer is no number.
  const isRated = outOf !== undefined && /^\d+$/.test(body);
  return isRated ? <ScaleAnswer value={Number(body)} outOf={outOf} /> : <>{day(body)}</>;
}

/** The bot's first words before the start. */
export function Teased({ words }: { words: string }) {
  return (
    <div class="entries">
      <BotSays>
        <div class="bubble" dir="auto">
          {words}
        </div>
      </BotSays>
    </div>
  );
}

/** Three dots, hidden from screen readers. */
export function Typing() {
  return (
    <BotSays isHidden>
      <div class="bubble">
        <i />
        <i />
        <i />
      </div>
    </BotSays>
  );
}

function BotSays({ isHidden = false, children }: { isHidden?: boolean; children: ComponentChildren }) {
  return (
    <div class={isHidden ? 'entry bot last typing' : 'entry bot last'} aria-hidden={isHidden}>
      <div class="line">
        <Avatar />
        {children}
      </div>
    </div>
  );
}
