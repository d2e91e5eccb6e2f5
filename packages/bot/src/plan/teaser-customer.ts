import { bodyCharsMax } from '../text/clean-text.ts';
import type { LocalText, Step } from '../definition/format.ts';
import { render, templateReferences, translations } from '../text/template.ts';
import { expressionsOf } from '../definition/expressions.ts';
import type { Transitions } from '../definition/transitions.ts';

/** Returns whether the teaser (`teaser.ts`) of a bot may need the customer's details. */
export function teaserNamesCustomer(steps: readonly Step[], transitions: readonly Transitions[]): boolean {
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
  // A value that is set may be in the words that follow.
  if (expressionsOf(step).some(({ expression }) => /\bcustomer\b/.test(expression))) return true;
  return ('text' in step ? translations(step.text ?? '') : []).some((text) =>
    templateReferences(text).references.some(({ source }) => source === 'customer'),
  );
}

/** Returns whether the text has words in every language when all referenced values are missing. */
function isNeverBlank(text: LocalText): boolean {
  return translations(text).every((one) => render(one, () => undefined, bodyCharsMax).body.trim() !== '');
}
