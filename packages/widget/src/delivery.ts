import type { Message, ParleyError, Snapshot } from '@parley/client/public';
import { newMessageId } from './message-id.ts';
import type { Answer, Outgoing } from './model.ts';

/** How an answer's way to the server has ended. */
export interface Settlement {
  /** What is left of it: nothing, or what was refused and is the customer's again. */
  outgoing: Outgoing | undefined;
  /** The talk as the server had it then. */
  snapshot?: Snapshot;
  /** The talk itself has ended, or is gone (410, 404). */
  ending?: unknown;
  /** Why the server could not take it, where that is nothing that the customer has done. */
  fault?: unknown;
}

/** An answer on its way. It has one id however often it is sent, and arrives once. */
export interface Delivery {
  /** As it sets out. */
  outgoing: Outgoing;
  /** Never rejects. */
  settled: Promise<Settlement>;
}

/** Sends an answer to a question; `post` sends again for as long as failures pass. */
export function deliver(
  { seq, stepId }: { seq: number; stepId: string },
  answer: Answer,
  words: string,
  post: (message: Message, outgoing: Outgoing) => Promise<Snapshot>,
): Delivery {
  const outgoing: Outgoing = { stepId, answer, words, state: 'sending' };
  const message = { clientMessageId: newMessageId(), expectedSeq: seq, stepId, answer };
  const settled = post(message, outgoing).then(
    (snapshot) => ({ outgoing: undefined, snapshot }),
    (error: unknown) => settlementOf(error as ParleyError, outgoing),
  );
  return { outgoing, settled };
}

function settlementOf(error: ParleyError, outgoing: Outgoing): Settlement {
  const { status, type, detail, data } = error;
  const refused = (why: Pick<Outgoing, 'refusal' | 'reason'>): Outgoing => {
    return { ...outgoing, state: 'refused', ...why };
  };
  if (type === 'stale-sequence' && data) {
    const snapshot = data as Snapshot;
    const isAskedAgain = snapshot.input?.stepId === outgoing.stepId;
    return { snapshot, outgoing: isAskedAgain ? refused({ refusal: 'moved-on' }) : undefined };
  }
  if (status === 410 || status === 404) return { outgoing: undefined, ending: error };
  if (status === 422) return { outgoing: refused({ refusal: 'invalid', reason: detail }) };
  return { outgoing: refused({ refusal: 'failed' }), fault: error };
}
