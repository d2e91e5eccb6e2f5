import { interactionData } from '@parley/bot/data';
import type { BotDefinition } from '@parley/bot/definition';
import {
  redactContext,
  redactEntries,
  redactEvaluation,
  redactState,
  type Remover,
  removerFor,
} from '@parley/bot/redact';
import type { Slices } from '@parley/bot/slices';
import { detailNames } from '@parley/contracts/customer-details';
import type { Interaction } from '@parley/contracts/interaction/v1/interaction';
import type { PersonalFields } from '@parley/contracts/personal-fields';
import { isOpen } from '../interactions/lifecycle.ts';
import type { InteractionChange, InteractionRow } from '../interactions/store.ts';
import type { PersonalColumn } from './personal-columns.ts';

/**
 * Returns the change that anonymises an interaction. Current details, details from the start of the conversation,
 * personal answers and context, and repetitions of these, become `[removed]`. An open interaction expires. Its link
 * becomes invalid. Ids, times and scores stay. Before the start, `definition` is the
 * bot's current one. Idempotent on texts. A slice takes one text or one personal value.
 */
export function* redactedChange(
  row: InteractionRow,
  definition: BotDefinition,
  current: readonly string[],
): Slices<InteractionChange> {
  const remove = yield* removerOf(row, definition, current);
  const replaced: Pick<InteractionRow, PersonalColumn> = {
    context: yield* redactContext(definition, row.context, remove),
    state: row.state && (yield* redactState(definition, row.state, remove)),
    transcript: row.transcript && (yield* redactEntries(row.transcript, remove)),
    evaluation: row.evaluation && (yield* redactEvaluation(definition, row.evaluation, remove)),
  };
  return {
    ...replaced,
    status: isOpen(row.status) ? 'Expired' : row.status,
    linkVersion: row.linkVersion + 1,
  };
}

/** The personal fields of a stored answer, as proto/ declares them, and the list of messages that have some. */
type PersonalOfAnswer = PersonalFields['parley.interaction.v1.Interaction']['fields'] | 'context';

/**
 * Returns the stored answer to the creation of an interaction without personal data. `row` is the interaction before
 * its redaction: only it has the details from the start of the conversation, the personal values and the marks of
 * personal texts. With a redacted row, the answer has its redacted texts. `definition` is as in `redactedChange`.
 */
export function* redactedAnswer(
  answer: Interaction,
  row: Pick<InteractionRow, 'context' | 'state' | 'transcript'>,
  definition: BotDefinition,
  current: readonly string[],
): Slices<Interaction> {
  const remove = yield* removerOf(row, definition, current);
  const replaced: { [Field in PersonalOfAnswer]: Interaction[Field] } = {
    // It is never stored: a replay has the token of the link as it is then.
    linkToken: '',
    data: yield* redactedData(answer, row, definition, remove),
    context: yield* redactContext(definition, row.context, remove),
  };
  return { ...answer, ...replaced };
}

function* redactedData(
  answer: Interaction,
  row: Pick<InteractionRow, 'transcript'>,
  definition: BotDefinition,
  remove: Remover,
): Slices<Interaction['data']> {
  if (typeof answer.data !== 'string') return answer.data;
  const stored = JSON.parse(answer.data) as { evaluation: Record<string, string>; transcript: unknown[] };
  return interactionData({
    customerId: answer.customerId,
    interactionId: answer.id,
    evaluation: yield* redactEvaluation(definition, stored.evaluation, remove),
    transcript: yield* redactEntries((row.transcript ?? []).slice(0, stored.transcript.length), remove),
  });
}

/** Also removes the details from the start of the conversation, which may differ from the current ones. */
function removerOf(
  row: Pick<InteractionRow, 'context' | 'state'>,
  definition: BotDefinition,
  current: readonly string[],
): Slices<Remover> {
  const { customer } = row.state ?? {};
  return removerFor(definition, row, [...current, ...detailNames.map((name) => customer?.[name] ?? '')]);
}
