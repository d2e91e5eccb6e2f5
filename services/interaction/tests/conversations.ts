import type { Session, Snapshot } from '@parley/contracts/interaction/v1/conversation';
import { AppError } from '@parley/runtime/errors';
import { v7 as uuidv7 } from 'uuid';
import { call, type Creation, type Interactions, workspaceOf } from './fixture.ts';

/** A workspace for one test, with the sessions and the conversations of its customers. */
export function workspaceWithConversations(service: Interactions, workspaceId = uuidv7()) {
  const workspace = workspaceOf(service, workspaceId);
  const { conversations } = service;
  return {
    ...workspace,
    /** Creates an interaction that waits for its customer. Default status: Pending. */
    offer: (botId: string, given: Creation = {}) => workspace.create({ botId, status: 'Pending', ...given }),
    /** A session from before any anonymisation, or with this version of the customer's fence. */
    session: (customerId = 'ada', fenceVersion = 0): Session => ({
      workspaceId,
      subject: { $case: 'customerId', value: customerId },
      fenceVersion,
    }),
    /** A session that begins now. */
    newSession: async (customerId = 'ada'): Promise<Session> => {
      const { version } = await conversations.getFence({ workspaceId, customerId }, call);
      return {
        workspaceId,
        subject: { $case: 'customerId', value: customerId },
        fenceVersion: version,
      };
    },
    linkSession: (interactionId: string, linkVersion = 1): Session => ({
      workspaceId,
      subject: { $case: 'interaction', value: { interactionId, linkVersion } },
      fenceVersion: 0,
    }),
    /** The session of a link that was opened after the end. */
    lateLinkSession: (interactionId: string): Session => ({
      workspaceId,
      subject: { $case: 'interaction', value: { interactionId, linkVersion: 1, hasEnded: true } },
      fenceVersion: 0,
    }),
    read: (session: Session, interactionId: string, { after = 0, waitSeconds = 0, signal }: Reading = {}) =>
      conversations.getConversation(
        { session, interactionId, after, waitSeconds },
        { ...call, ...(signal && { signal }) },
      ),
    begin: (session: Session, interactionId: string, locale?: string) =>
      conversations.startConversation({ session, interactionId, locale }, call),
    post: async (session: Session, interactionId: string, message: Message) => {
      const { stepId, seq, id = uuidv7(), answer, revises } = message;
      const request = {
        session,
        interactionId,
        clientMessageId: id,
        expectedSeq: seq,
        stepId,
        answer: answerOf(answer),
        revises,
      };
      const { snapshot, stale } = await conversations.postMessage(request, call);
      if (!snapshot) throw new Error('no snapshot was answered');
      return { snapshot, stale };
    },
  };
}

export type WorkspaceWithConversations = ReturnType<typeof workspaceWithConversations>;

export type Answer = { value: unknown } | { text: string } | { skip: true };

interface Message {
  seq: number;
  stepId: string;
  answer: Answer;
  /** The clientMessageId; a new one when absent. */
  id?: string;
  /** Replaces an earlier answer. */
  revises?: true;
}

interface Reading {
  after?: number;
  waitSeconds?: number;
  signal?: AbortSignal;
}

export function asked(snapshot: Snapshot): string {
  if (!snapshot.inputJson) throw new Error('nothing is asked');
  return (JSON.parse(snapshot.inputJson) as { stepId: string }).stepId;
}

/** Returns the error of the call, as its caller gets it. */
export async function refusal(
  promise: Promise<unknown>,
): Promise<{ code: string; type: string; message: string }> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof AppError) return { code: error.code, type: error.type, message: error.message };
    throw error;
  }
  throw new Error('the call was answered');
}

function answerOf(answer: Answer) {
  if ('value' in answer) return { $case: 'valueJson' as const, value: JSON.stringify(answer.value) };
  if ('text' in answer) return { $case: 'text' as const, value: answer.text };
  return { $case: 'skip' as const, value: true };
}
