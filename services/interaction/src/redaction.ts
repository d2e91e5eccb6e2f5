import { interactionData } from '@parley/bot/data';
import type { BotDefinition } from '@parley/bot/definition';
import { redactEntries, redactEvaluation, redactState, redactText } from '@parley/bot/redact';
import type { Interaction } from '@parley/contracts/interaction/v1/interaction';
import type { InteractionChange, InteractionRow } from './interaction-store.ts';
import { isOpen } from './lifecycle.ts';

/**
 * The change that takes a person out of an interaction: their details, those that the talk began with, and personal
 * answers become `[removed]`, an open one expires, its link and the sessions from before `raisedAt` die. Ids, times and scores
 * stay. `definition` is the one that the talk runs on; null when it has not started. Doing it again changes no text any
 * more.
 */
export function redactedChange(
  row: InteractionRow,
  definition: BotDefinition | null,
  current: readonly string[],
  raisedAt: Date,
): InteractionChange {
  const details = detailsOf(row, current);
  return {
    status: isOpen(row.status) ? 'Expired' : row.status,
    linkVersion: row.linkVersion + 1,
    sessionsFrom: raisedAt,
    context: redactContext(row.context, details),
    state: row.state && redactState(definition, row.state, details),
    transcript: row.transcript && redactEntries(row.transcript, details),
    evaluation: row.evaluation && redactEvaluation(definition, row.evaluation, details),
  };
}

/**
 * The answer to the call that made an interaction, as it is kept for replays, without the person. `row` is the
 * interaction before its own redaction: it knows which details the talk began with, and which parts of the texts are
 * personal; the answer does not. Of a row that was redacted it takes what that has left.
 */
export function redactedAnswer(
  answer: Interaction,
  row: Pick<InteractionRow, 'context' | 'state' | 'transcript'>,
  definition: BotDefinition | null,
  current: readonly string[],
): Interaction {
  const details = detailsOf(row, current);
  const context = redactContext(row.context, details);
  if (typeof answer.data !== 'string') return { ...answer, context };
  const told = JSON.parse(answer.data) as { evaluation: Record<string, string>; transcript: unknown[] };
  const data = interactionData({
    customerId: answer.customerId,
    interactionId: answer.id,
    evaluation: redactEvaluation(definition, told.evaluation, details),
    transcript: redactEntries((row.transcript ?? []).slice(0, told.transcript.length), details),
  });
  return { ...answer, context, data };
}

/** What the customer is called now, and what they were called when the talk began. */
function detailsOf({ state }: Pick<InteractionRow, 'state'>, current: readonly string[]): string[] {
  const { firstName = '', lastName = '', email = '' } = state?.customer ?? {};
  return [...current, firstName, lastName, email];
}

function redactContext(context: Interaction['context'], details: readonly string[]): Interaction['context'] {
  return context.map(({ key, value }) => ({ key, value: redactText(value, details) }));
}
