import type { Talk, TalkState } from '../model.ts';
import { isPending } from './talk-state.ts';

/** The panel's conversation, and former ones with a pending answer. */
export interface TalkPool {
  /** The state of the panel's conversation; undefined without one. */
  state(): TalkState | undefined;
  /** Sets the panel's conversation. `create` makes it and calls `changed` after each change. */
  turnTo(interactionId: string, create: (changed: () => void) => Talk): Talk;
  release(): void;
}

/** Disposes of a conversation once the panel has released it and no answer is pending. */
export function createTalkPool(): TalkPool {
  const talks = new Map<string | undefined, Talk>();
  let held: string | undefined;

  const disposeOnceSent = (interactionId: string | undefined): void => {
    const talk = talks.get(interactionId);
    if (!talk || interactionId === held || isPending(talk.state)) return;
    talks.delete(interactionId);
    talk.dispose();
  };
  const hold = (interactionId: string | undefined): void => {
    const former = held;
    held = interactionId;
    disposeOnceSent(former);
  };

  return {
    state: () => talks.get(held)?.state,
    turnTo: (interactionId, create) => {
      hold(interactionId);
      const talk = talks.get(interactionId) ?? create(() => disposeOnceSent(interactionId));
      talks.set(interactionId, talk);
      return talk;
    },
    release: () => hold(undefined),
  };
}
