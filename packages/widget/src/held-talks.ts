import type { Talk, TalkState } from './model.ts';
import { isOnItsWay } from './talk-state.ts';

/** The talk that the panel has, and former ones with an answer that has still to arrive. */
export interface HeldTalks {
  /** Of the panel's talk; undefined while there is none. */
  state(): TalkState | undefined;
  /** The panel has this interaction's talk from now on; `create` makes it, and is given what to call after each change of it. */
  turnTo(interactionId: string, create: (changed: () => void) => Talk): Talk;
  /** The panel has none from now on. */
  letGo(): void;
}

/** What holds talks. */
export type HoldTalks = typeof holdTalks;

/** Each is disposed of once the panel has let it go, and what the customer has said in it has arrived. */
export function holdTalks(): HeldTalks {
  const talks = new Map<string | undefined, Talk>();
  let held: string | undefined;

  const disposeOnceSent = (interactionId: string | undefined): void => {
    const talk = talks.get(interactionId);
    if (!talk || interactionId === held || isOnItsWay(talk.state)) return;
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
    letGo: () => hold(undefined),
  };
}
