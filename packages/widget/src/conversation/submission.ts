import type { Message, ParleyError, Snapshot } from '@parley/client/public';
import type { Answer, Outgoing } from '../model.ts';

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
  revises: boolean,
  post: (message: Message, outgoing: Outgoing) => Promise<Snapshot>,
): Submission {
  const outgoing: Outgoing = { stepId, answer, words, state: 'sending' };
  const message = { clientMessageId: newMessageId(), expectedSeq: seq, stepId, answer };
  const result = post(message, outgoing).then(
    (snapshot) => ({ outgoing: undefined, snapshot }),
    (error: unknown) => failureOf(error as ParleyError, outgoing, revises),
  );
  return { outgoing, result };
}

function failureOf(error: ParleyError, outgoing: Outgoing, revises: boolean): SubmissionResult {
  const { status, type, detail, data } = error;
  const refused = (why: Pick<Outgoing, 'refusal' | 'reason'>): Outgoing => {
    return { ...outgoing, state: 'refused', ...why };
  };
  if (type === 'stale-sequence' && data) {
    const snapshot = data as Snapshot;
    const isAskedAgain = revises || snapshot.input?.stepId === outgoing.stepId;
    return { snapshot, outgoing: isAskedAgain ? refused({ refusal: 'moved-on' }) : undefined };
  }
  if (status === 410 || status === 404) return { outgoing: undefined, ending: error };
  if (status === 422) return { outgoing: refused({ refusal: 'invalid', reason: detail }) };
  return { outgoing: refused({ refusal: 'failed' }), fault: error };
}

/** Returns a random UUID (RFC 9562, version 4), on pages without a secure context too. */
export function newMessageId(
  source: Pick<Crypto, 'getRandomValues'> & Partial<Pick<Crypto, 'randomUUID'>> = crypto,
): string {
  if (source.randomUUID) return source.randomUUID();
  const bytes = source.getRandomValues(new Uint8Array(16));
  const hex = [...bytes]
    .map((byte, index) => {
      if (index === 6) return ((byte & 0x0f) | 0x40).toString(16).padStart(2, '0');
      return (index === 8 ? (byte & 0x3f) | 0x80 : byte).toString(16).padStart(2, '0');
    })
    .join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
