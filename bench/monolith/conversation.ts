import { runAtOnce } from '@parley/bot/slices';
import type { BotDefinition } from '@parley/bot/definition';
import type { Keyring } from '@parley/runtime/config/keyring';
import type { Kysely } from 'kysely';
import { fingerprintOf, judge } from '../../services/interaction/src/conversations/answering.ts';
import { snapshotOf } from '../../services/interaction/src/conversations/snapshot.ts';
import { readSession } from './credentials.ts';
import type { Tables } from './database.ts';
import { Fault, notFound } from './fault.ts';
import { timestamp } from './present.ts';
import { newMessage, parse } from './requests.ts';
import type { RaiseEvent } from './outbox.ts';
import { findDefinition, insertMessage, lockInteraction, saveConversation } from './store.ts';

/** One turn of a conversation: the rules and the engine of the service, in one transaction. */
export function createConversation(db: Kysely<Tables>, sessionKeys: Keyring, raise: RaiseEvent) {
  const definitions = new Map<string, BotDefinition>();

  return {
    /** Accepts the message of a link's session and returns the snapshot. */
    post: async (
      authorization: string | undefined,
      workspaceId: string,
      interactionId: string,
      body: unknown,
    ): Promise<unknown> => {
      const session = await readSession(sessionKeys, authorization);
      const { answer, ...given } = parse(newMessage, body, '');
      const message = { ...given, answer: caseOf(answer) };
      return db.transaction().execute(async (trx) => {
        const row = await lockInteraction(trx, workspaceId, interactionId);
        const isVisible =
          row &&
          row.status !== 'Draft' &&
          session.workspaceId === workspaceId &&
          session.interactionId === row.id &&
          session.linkVersion === row.link_version;
        if (!isVisible) throw notFound();
        const key = `${row.bot_id} ${row.bot_version}`;
        const definition = definitions.get(key) ?? (await findDefinition(trx, row, row.bot_version ?? 1));
        definitions.set(key, definition);

        const now = new Date();
        const verdict = runAtOnce(judge(row, definition, message, now, false));
        if ('error' in verdict) throw new Fault(422, verdict.error.type, verdict.error.message);
        if ('stale' in verdict) throw new Fault(409, 'stale-sequence', 'The conversation has moved on');
        const { change } = verdict;
        await insertMessage(trx, row, message.clientMessageId, fingerprintOf(message));
        await saveConversation(trx, row, change);
        if (change.status === 'Completed') await raise(trx, row, 'completed');
        const conversation = {
          ...row,
          expiresAt: row.expires_at,
          botName: definition.name,
          isTest: false,
          availableFrom: null,
          ...change,
        };
        return show(snapshotOf(conversation, definition, 0, now));
      });
    },
  };
}

function caseOf(answer: { value?: unknown; text?: string | undefined; skip?: true | undefined }) {
  if (answer.value !== undefined) return { $case: 'valueJson' as const, value: JSON.stringify(answer.value) };
  if (answer.text !== undefined) return { $case: 'text' as const, value: answer.text };
  return { $case: 'skip' as const, value: true };
}

function show({ inputJson, ...snapshot }: ReturnType<typeof snapshotOf>) {
  return {
    status: snapshot.status,
    seq: snapshot.seq,
    entries: snapshot.entries,
    input: inputJson ? (JSON.parse(inputJson) as unknown) : null,
    awaiting: snapshot.awaiting ?? null,
    progress: snapshot.progress,
    expiresAt: snapshot.expiresAt && timestamp(snapshot.expiresAt),
    botName: snapshot.botName,
  };
}
