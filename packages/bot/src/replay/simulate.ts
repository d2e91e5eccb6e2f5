import type {
  Answer,
  ConversationState,
  Entry,
  GivenCustomer,
  ModelOutcome,
  Turn,
} from '../plan/conversation.ts';
import { answer, beginConversation } from '../engine/engine.ts';
import type { BotDefinition } from '../definition/format.ts';
import type { Input } from '../questions/types.ts';
import { answerModel } from '../model/model-answer.ts';

/** A conversation to simulate: the customer, and the answers in their order. */
export type Script = {
  customer?: Partial<GivenCustomer>;
  context?: Record<string, string>;
  locale?: string;
  /** The start, in epoch seconds. Each answer comes a second after the previous one. Default: 2026-01-01. */
  now?: number;
  answers: ScriptAnswer[];
  /** The model's answers in order, as JSON values. After the last one, and without any, the model fails. */
  model?: unknown[];
};

/** An answer to the current question. With `stepId`, the current question must have that id. */
export type ScriptAnswer = Answer & { stepId?: string };

export type Simulation = {
  transcript: { type: 'bot' | 'customer'; body: string }[];
  evaluation: Record<string, string>;
  ended: boolean;
  /** The question for which no answer is left; null when the conversation has ended. */
  input: Input | null;
  /** Rejected answers by their index in the script. The next one is tried then. */
  rejected: { index: number; stepId: string; reason: string; detail: string }[];
  /** Answers that came after the end. */
  unused: number;
  state: ConversationState;
};

const newYear2026 = 1_767_225_600;

/** Runs a script against a valid definition. The result does not depend on the clock. */
export function simulate(definition: BotDefinition, script: Script): Simulation {
  const { customer, context = {}, locale, answers } = script;
  const hasModel = script.model !== undefined;
  const model = [...(script.model ?? [])];
  const from = script.now ?? newYear2026;
  const who = { id: 'simulated', ...customer };
  let turn = beginConversation(definition, {
    customer: who,
    context,
    now: from,
    hasModel,
    ...(locale === undefined ? {} : { locale }),
  });
  const entries: Entry[] = [];
  const settle = (next: Turn, now: number): Turn => {
    entries.push(...next.entries);
    if (next.state.awaiting === undefined) return next;
    const outcome: ModelOutcome =
      model.length > 0 ? { text: JSON.stringify(model.shift()) } : { failed: true };
    const answered = answerModel(definition, next.state, { outcome, now });
    if (!('rejected' in answered)) return settle(answered, now);
    const failed = answerModel(definition, next.state, { outcome: { failed: true }, now });
    if ('rejected' in failed) throw new Error(failed.rejected.detail);
    return settle(failed, now);
  };
  turn = settle(turn, from);
  const rejected: Simulation['rejected'] = [];
  let used = 0;
  for (const { stepId, ...given } of answers) {
    if (turn.input === null) break;
    const asked = stepId ?? turn.input.stepId;
    used += 1;
    const outcome = answer(definition, turn.state, {
      stepId: asked,
      answer: given,
      now: from + used,
      hasModel,
    });
    if ('rejected' in outcome) {
      rejected.push({ index: used - 1, stepId: asked, ...outcome.rejected });
      continue;
    }
    turn = settle(outcome, from + used);
  }
  return {
    transcript: entries.map(({ type, body }) => ({ type, body })),
    evaluation: turn.evaluation,
    ended: turn.ended,
    input: turn.input,
    rejected,
    unused: answers.length - used,
    state: turn.state,
  };
}
