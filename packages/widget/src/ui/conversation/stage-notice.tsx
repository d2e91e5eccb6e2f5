import { instant } from '@parley/client/public';
import type { TalkState } from '../../model.ts';
import { ChatIcon, ClockIcon, CloseIcon, DoneIcon, OfflineIcon } from '../look/icons.tsx';
import type { WidgetLanguage } from '../language/language.ts';

/** Returns why a conversation that cannot reach the server does not continue. */
export function outageOf({ serverFault }: Pick<TalkState, 'serverFault'>, { say }: WidgetLanguage): string {
  return say(serverFault ? 'serverTitle' : 'offlineTitle');
}

function laterText({ snapshot }: TalkState, { say, moment }: WidgetLanguage): string | undefined {
  const { availableFrom } = snapshot ?? {};
  return availableFrom && say('laterText', { time: moment(instant(availableFrom)) });
}

/** Returns the notice of a stage; undefined in progress. `wasHeld`: the customer has just taken part here. */
export function noticeOf(state: TalkState, wasHeld: boolean, language: WidgetLanguage) {
  const { say } = language;
  if (state.isOffline && state.stage === 'loading')
    return { icon: <OfflineIcon />, title: outageOf(state, language), text: say('offlineText') };
  switch (state.stage) {
    case 'loading':
    case 'talking':
      return undefined;
    case 'later':
      return { icon: <ClockIcon />, title: state.botName, text: laterText(state, language) };
    case 'ready':
      return { icon: <ChatIcon />, title: state.botName, text: say('readyText') };
    case 'resumable':
      return { icon: <ChatIcon />, title: state.botName, text: say('resumableText') };
    case 'completed':
      return wasHeld
        ? { icon: <DoneIcon />, title: say('doneTitle'), isEnd: true }
        : { icon: <DoneIcon />, title: say('completedTitle'), text: say('completedText'), isEnd: true };
    case 'expired':
      return { icon: <ClockIcon />, title: say('expiredTitle'), text: say('expiredText'), isEnd: true };
    case 'unavailable':
      // Not an end: the workspace's thanks would be for nothing.
      return { icon: <CloseIcon />, title: say('unavailableTitle'), text: say('unavailableText') };
  }
}

/**
 * Returns the text that a screen reader announces and the transcript does not have. `title`: of a notice beside the
 * transcript.
 */
export function statusOf(state: TalkState, title: string | undefined, language: WidgetLanguage): string {
  const { say } = language;
  const { stage, snapshot, isOffline, botName } = state;
  if (stage === 'loading') return isOffline ? '' : say('loading');
  if (isOffline) return outageOf(state, language);
  if (stage === 'talking') return snapshot?.input ? '' : say('typing', { bot: botName });
  return stage === 'resumable' ? '' : (title ?? '');
}
