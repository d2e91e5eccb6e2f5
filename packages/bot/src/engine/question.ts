import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { AskStep } from '../definition/format.ts';
import type { ConversationState } from '../plan/conversation.ts';
import { type Input, type InputRule, typeOf } from '../questions/types.ts';
import type { Plan } from '../plan/plan.ts';
import { fillIn } from './open-conversation.ts';
import { sayIn } from '../text/template.ts';

/** The rule of a customer's message in a chat. */
export const chatRule = { type: 'longText', maxLength: 2000 } as const;

/** Returns the rule of a question as this conversation shows it: in its own random order, if it has one. */
export function shownRule({ seed }: ConversationState, { id, input }: AskStep): InputRule {
  if (seed === undefined) return input;
  const placeOf = (value: string) => bytesToHex(sha256(utf8ToBytes(JSON.stringify([seed, id, value]))));
  return typeOf(input).inOrder(input, placeOf);
}

/**
 * Returns the current question, or null when the conversation has ended or waits for the model. `now` (epoch seconds)
 * decides what `today` is.
 */
export function question(plan: Plan, state: ConversationState, now: number): Input | null {
  if (state.stepId === null) return null;
  const language = { locale: state.locale, ownLocale: plan.locale };
  const describe = (rule: InputRule) => typeOf(rule).describeRule(rule, sayIn(language), now);
  if (plan.llms.has(state.stepId)) {
    return { stepId: state.stepId, type: chatRule.type, required: true, ...describe(chatRule) };
  }
  const step = plan.asks.get(state.stepId);
  if (step === undefined) throw new Error(`The definition has no question "${state.stepId}": not its state`);
  const { id, required, prefill } = step;
  const rule = shownRule(state, step);
  const input: Input = { stepId: id, type: rule.type, required: required !== false, ...describe(rule) };
  const type = typeOf(rule);
  if (prefill !== undefined && type.takesPrefill) {
    const checked = type.checkValue(
      rule,
      type.readText(rule, fillIn(plan, state, prefill).body, language),
      now,
    );
    if ('value' in checked) input.prefill = checked.value;
  }
  return input;
}
