import { bodyCharsMax, cleanText } from './check-value.ts';
import { start } from './engine.ts';
import type { BotDefinition, LocalText, Step } from './format.ts';
import { planOf } from './plan.ts';
import type { Beginning } from './talk.ts';
import { render, shorten, templateReferences } from './template.ts';

const teaserCharsMax = 160;

/**
 * The bot's first words, to invite the customer with: one line of at most 160 characters. The bot's name where it says
 * nothing of its own at first: with a model (`hasModel`), a bot that begins with an `llm` step.
 */
export function teaser(definition: BotDefinition, beginning: Beginning & { hasModel?: boolean }): string {
  const { entries } = start(definition, { ...beginning, now: 0 });
  const words = cleanText(entries[0]?.body ?? definition.name, false).replaceAll(/\s+/g, ' ');
  return shorten(words, teaserCharsMax);
}

/** Whether the customer's details are needed for the teaser; at most true for nothing. */
export function teaserNamesCustomer(definition: BotDefinition): boolean {
  const { steps } = definition;
  const { ways } = planOf(definition);
  // Every step that can have a part in the first words.
  const reached = new Set([0]);
  for (const index of reached) {
    const step = steps[index];
    if (step === undefined) continue;
    if (namesCustomer(step)) return true;
    if (step.kind === 'say' && step.when === undefined && isNeverBlank(step.text)) continue;
    for (const next of ways[index]?.passing ?? []) reached.add(next);
  }
  return false;
}

function namesCustomer(step: Step): boolean {
  const conditions = [step.when, ...armsOf(step).map((arm) => ('if' in arm ? arm.if : undefined))];
  if (conditions.some((condition) => condition !== undefined && /\bcustomer\b/.test(condition))) return true;
  return ('text' in step ? languagesOf(step.text ?? '') : []).some((text) =>
    templateReferences(text).references.some(({ source }) => source === 'customer'),
  );
}

function armsOf(step: Step) {
  return 'next' in step && Array.isArray(step.next) ? step.next : [];
}

/** Whether something is left of the text in every language when all that it names is missing. */
function isNeverBlank(text: LocalText): boolean {
  return languagesOf(text).every((one) => render(one, () => undefined, bodyCharsMax).body.trim() !== '');
}

function languagesOf(text: LocalText): string[] {
  return typeof text === 'string' ? [text] : Object.values(text);
}
