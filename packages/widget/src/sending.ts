import { type Delivery, deliver, type Settlement } from './delivery.ts';
import type { Line } from './line.ts';
import type { Talk, TalkState } from './model.ts';
import type { Observed } from './observed.ts';
import { isOnItsWay, questionOf } from './talk-state.ts';

/** What sending takes. */
export interface SendingOptions {
  line: Pick<Line, 'call' | 'wake'>;
  held: Observed<TalkState>;
  /** Of the talk: nothing is sent after it. */
  signal: AbortSignal;
  /** An answer has come to the end of its way; the state still has it as `outgoing`. */
  onSettled: (settlement: Settlement) => void;
}

/** What the customer answers, on its way to the server: one answer at a time. */
export interface Sending extends Pick<Talk, 'send' | 'clearRefusal'> {
  /** What waits goes out now. */
  again(): void;
  /** Resolves once nothing is on its way, which it hastens: the server can be reached. */
  untilSettled(): Promise<void>;
}

/** Begins with nothing on its way. */
export function createSending({ line, held, signal, onSettled }: SendingOptions): Sending {
  let delivery: Delivery | undefined;
  return {
    send: (answer, words) => {
      const question = questionOf(held.state);
      if (!question) return;
      delivery = deliver(question, answer, words, (message, outgoing) => {
        const troubled: Partial<TalkState> = { outgoing: { ...outgoing, state: 'waiting' } };
        return line.call((client, id) => client.postMessage(id, message, { signal }), signal, troubled);
      });
      held.set({ outgoing: delivery.outgoing });
      // Before all others that wait for it: they find it settled.
      void delivery.settled.then((settlement) => {
        if (!signal.aborted) onSettled(settlement);
      });
    },
    again: () => {
      const { outgoing } = held.state;
      if (outgoing?.state === 'waiting') held.set({ outgoing: { ...outgoing, state: 'sending' } });
      line.wake();
    },
    clearRefusal: () => {
      if (held.state.outgoing?.state === 'refused') held.set({ outgoing: undefined });
    },
    untilSettled: async () => {
      if (!isOnItsWay(held.state)) return;
      line.wake();
      await delivery?.settled;
    },
  };
}
