import type { Message, ParleyError, Snapshot } from '@parley/client/public';
import { newMessageId } from './message-id.ts';
import type { Answer, Outgoing } from '../model.ts';

/** The result of sending an answer. */
export interface SubmissionResult {
  /** The rejected answer; undefined when it arrived. */
  outgoing: Outgoing | undefined;
  /** The conversation as the server has it. */
  snapshot?: Snapshot;
  /** The conversation itself has ended, or does not exist (410, 404). */
  ending?: unknown;
  /** An error that the customer has not caused. */
  fault?: unknown;
}

/** An answer that is being sent. All attempts have one id, so it arrives once. */
export interface Submission {
  /** Its first state. */
  outgoing: Outgoing;
  /** Never rejects. */
  result: Promise<SubmissionResult>;
}

/** Sends an answer to a question; `post` retries. */
export function submit(
  { seq, stepId }: { seq: number; stepId: string },
  answer: Answer,
  words: string,
  post: (message: Message, outgoing: Outgoing) => Promise<Snapshot>,
): Submission {
  const outgoing: Outgoing = { stepId, answer, words, state: 'sending' };
  const message = { clientMessageId: newMessageId(), expectedSeq: seq, stepId, answer };
  const result = post(message, outgoing).then(
    (snapshot) => ({ outgoing: undefined, snapshot }),
    (error: unknown) => failureOf(error as ParleyError, outgoing),
  );
  return { outgoing, result };
}

function failureOf(error: ParleyError, outgoing: Outgoing): SubmissionResult {
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
