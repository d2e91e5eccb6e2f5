import { checkValue, lengthMax } from '../questions/check-value.ts';
import type { ConversationState } from '../plan/conversation.ts';
import { describeRule, type Input } from '../questions/input.ts';
import type { Plan } from '../plan/plan.ts';
import { readText } from '../questions/read-text.ts';
import { fillIn } from './open-conversation.ts';
import { localText } from '../text/template.ts';

/** The rule of a customer's message in a chat. */
export const chatRule = { type: 'longText', maxLength: 2000 } as const;

/**
 * Returns the current question, or null when the conversation has ended or waits for the model. `now` (epoch seconds)
 * decides what `today` is.
 */
export function question(plan: Plan, state: ConversationState, now: number): Input | null {
  if (state.stepId === null) return null;
  if (plan.llms.has(state.stepId)) {
    return { stepId: state.stepId, type: chatRule.type, required: true, maxLength: lengthMax(chatRule) };
  }
  const step = plan.asks.get(state.stepId);
  if (step === undefined) throw new Error(`The definition has no question "${state.stepId}": not its state`);
  const { type, ...needs } = describeRule(
    step.input,
    (text) => localText(text, state.locale, plan.locale),
    now,
  );
  const input: Input = { stepId: step.id, type, required: step.required !== false, ...needs };
  if (step.prefill !== undefined) {
    const { body } = fillIn(plan, state, step.prefill);
    const language = { locale: state.locale, ownLocale: plan.locale };
    const checked = checkValue(step.input, readText(step.input, body, language), now);
    if ('value' in checked) input.prefill = checked.value;
  }
  return input;
}
