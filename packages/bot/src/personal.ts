import type { CelScope } from './cel.ts';
import type { BotDefinition, Step } from './format.ts';
import { outputs } from './outputs.ts';
import { templateReferences } from './template.ts';

/** The personal data of a conversation. */
export type Personal = {
  /** Names under `answers` with personal values: marked, stored under a personal key, or made of personal values. */
  personalAnswers: Set<string>;
  /** Evaluation keys with personal values: marked, written by a personal step, or computed from personal values. */
  personalKeys: Set<string>;
  /** Ids of the steps whose entries are personal. */
  personalSteps: Set<string>;
};

/**
 * Returns what is personal in a definition. The result of a model is personal when its prompt names personal values,
 * except a label, which the author has chosen.
 */
export function personalOf(
  { steps, evaluation = {} }: Pick<BotDefinition, 'steps' | 'evaluation'>,
  scope: Pick<CelScope, 'readableFields'>,
): Personal {
  const markedKeys = new Set(Object.keys(evaluation).filter((key) => evaluation[key]?.pii === true));
  const personal: Personal = {
    personalAnswers: new Set(),
    personalKeys: new Set(markedKeys),
    personalSteps: new Set(),
  };
  // Prompts may name results of later steps, so this repeats until a round finds nothing new.
  for (let before = -1; before < personal.personalAnswers.size + personal.personalSteps.size; ) {
    before = personal.personalAnswers.size + personal.personalSteps.size;
    for (const step of steps) {
      if (isPersonal(step, personal)) personal.personalSteps.add(step.id);
      for (const { name, keys } of outputs(step)) {
        const isMarked = keys.some((key) => markedKeys.has(key));
        if (!isMarked && !personal.personalSteps.has(step.id)) continue;
        if (step.kind !== 'llm' || step.mode === 'chat') personal.personalSteps.add(step.id);
        if (name !== undefined) personal.personalAnswers.add(name);
        for (const key of keys) personal.personalKeys.add(key);
      }
    }
  }
  for (const step of steps) {
    if (step.kind !== 'set') continue;
    for (const [key, expression] of Object.entries(step.evaluation)) {
      if (scope.readableFields(expression).some((field) => isPersonalField(field, personal)))
        personal.personalKeys.add(key);
    }
  }
  return personal;
}

function isPersonalField(field: string, { personalAnswers }: Personal): boolean {
  const [source, ...names] = field.split('.');
  if (source !== 'answers') return source === 'customer';
  // A field with fields of its own is personal if one of them is, and the other way round.
  const within = (outer: string, inner: string) => outer === '' || `${inner}.`.startsWith(`${outer}.`);
  const name = names.join('.');
  return [...personalAnswers].some((answer) => within(name, answer) || within(answer, name));
}

function isPersonal(step: Step, { personalAnswers }: Personal): boolean {
  if (step.kind === 'ask') return step.pii === true;
  if (step.kind !== 'llm') return false;
  if (step.pii === true) return true;
  if (step.mode === 'classify') return false;
  return templateReferences(step.prompt).references.some(
    ({ source, name }) => source === 'customer' || (source === 'answers' && personalAnswers.has(name)),
  );
}
