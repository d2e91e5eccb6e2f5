import { useLayoutEffect, useState } from 'preact/hooks';
import type { Talk, TalkState } from '../../model.ts';

/** Returns the state of a conversation, followed while its screen is shown. */
export function useTalk(talk: Talk, isShown: boolean): TalkState {
  const [state, setState] = useState(talk.state);
  useLayoutEffect(() => {
    if (!isShown) return undefined;
    const end = talk.subscribe(() => setState(talk.state));
    setState(talk.state);
    return end;
  }, [talk, isShown]);
  return state;
}
