import { interactionData } from '@parley/bot/data';
import type { BotDefinition } from '@parley/bot/definition';
import { redactEntries, redactEvaluation, redactState, redactText } from '@parley/bot/redact';
import type { Slices } from '@parley/bot/slices';
import type { Interaction } from '@parley/contracts/interaction/v1/interaction';
import { isOpen } from '../interactions/lifecycle.ts';
import type { InteractionChange, InteractionRow } from '../interactions/store.ts';

/**
 * Returns the change that anonymises an interaction. Current details, details from the start of the conversation, and
 * personal answers become `[removed]`. An open interaction expires. Its link and sessions from before `raisedAt` become
 * invalid. Ids, times and scores stay. `definition` is null before the start. Idempotent on texts. A slice takes one
 * text.
 */
export function* redactedChange(
  row: InteractionRow,
  definition: BotDefinition | null,
  current: readonly string[],
  raisedAt: Date,
): Slices<InteractionChange> {
  const details = detailsOf(row, current);
  return {
    status: isOpen(row.status) ? 'Expired' : row.status,
    linkVersion: row.linkVersion + 1,
    sessionsFrom: raisedAt,
    context: redactContext(row.context, details),
    state: row.state && (yield* redactState(definition, row.state, details)),
    transcript: row.transcript && (yield* redactEntries(row.transcript, details)),
    evaluation: row.evaluation && (yield* redactEvaluation(definition, row.evaluation, details)),
  };
}

/**
 * Returns the stored answer to the creation of an interaction without personal data. `row` is the interaction before
 * its redaction: only it has the details from the start of the conversation, and the marks of personal texts. With a
 * redacted row, the answer has its redacted texts.
 */
export function* redactedAnswer(
  answer: Interaction,
  row: Pick<InteractionRow, 'context' | 'state' | 'transcript'>,
  definition: BotDefinition | null,
  current: readonly string[],
): Slices<Interaction> {
  const details = detailsOf(row, current);
  const context = redactContext(row.context, details);
  if (typeof answer.data !== 'string') return { ...answer, context };
  const stored = JSON.parse(answer.data) as { evaluation: Record<string, string>; transcript: unknown[] };
  const data = interactionData({
    customerId: answer.customerId,
    interactionId: answer.id,
    evaluation: yield* redactEvaluation(definition, stored.evaluation, details),
    transcript: yield* redactEntries((row.transcript ?? []).slice(0, stored.transcript.length), details),
  });
  return { ...answer, context, data };
}

/** Returns the customer's current details, and those from the start of the conversation. */
function detailsOf({ state }: Pick<InteractionRow, 'state'>, current: readonly string[]): string[] {
  const { firstName = '', lastName = '', email = '' } = state?.customer ?? {};
  return [...current, firstName, lastName, email];
}

function redactContext(context: Interaction['context'], details: readonly string[]): Interaction['context'] {
  return context.map(({ key, value }) => ({ key, value: redactText(value, details) }));
}
