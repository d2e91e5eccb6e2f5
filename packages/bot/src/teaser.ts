import { bodyCharsMax, cleanText } from './check-value.ts';
import { start } from './engine.ts';
import type { BotDefinition, LocalText, Step } from './format.ts';
import { planOf } from './plan.ts';
import type { Beginning } from './open-conversation.ts';
import { render, shorten, templateReferences, translations } from './template.ts';
import { armsOf } from './transitions.ts';

const teaserCharsMax = 160;

/**
 * Returns the bot's first words as an invitation: one line of at most 160 characters. The bot's name when it starts
 * without words, such as with an `llm` step that waits for the model (`hasModel`).
 */
export function teaser(definition: BotDefinition, beginning: Beginning & { hasModel?: boolean }): string {
  const { entries } = start(definition, { ...beginning, now: 0 });
  const words = cleanText(entries[0]?.body ?? definition.name, false).replaceAll(/\s+/g, ' ');
  return shorten(words, teaserCharsMax);
}

/** Returns whether the teaser may need the customer's details. */
export function teaserNamesCustomer(definition: BotDefinition): boolean {
  const { steps } = definition;
  const { transitions } = planOf(definition);
  // Every step that can contribute to the first words.
  const reached = new Set([0]);
  for (const index of reached) {
    const step = steps[index];
    if (step === undefined) continue;
    if (namesCustomer(step)) return true;
    if (step.kind === 'say' && step.when === undefined && isNeverBlank(step.text)) continue;
    for (const next of transitions[index]?.immediate ?? []) reached.add(next);
  }
  return false;
}

function namesCustomer(step: Step): boolean {
  const conditions = [step.when, ...armsOf(step).map((arm) => ('if' in arm ? arm.if : undefined))];
  if (conditions.some((condition) => condition !== undefined && /\bcustomer\b/.test(condition))) return true;
  return ('text' in step ? translations(step.text ?? '') : []).some((text) =>
    templateReferences(text).references.some(({ source }) => source === 'customer'),
  );
}

/** Returns whether the text has words in every language when all referenced values are missing. */
function isNeverBlank(text: LocalText): boolean {
  return translations(text).every((one) => render(one, () => undefined, bodyCharsMax).body.trim() !== '');
}
