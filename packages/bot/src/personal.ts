import type { CelScope } from './cel.ts';
import type { BotDefinition, Step } from './format.ts';
import { outputs } from './outputs.ts';
import { templateReferences } from './template.ts';

/** What in a talk is about the person. */
export type Personal = {
  /** Names under `answers` whose values are personal: marked so, kept under a key that is, or made of what is. */
  personalAnswers: Set<string>;
  /**
   * Evaluation keys whose values are personal: marked so, written by a step that is, or set to what shows something
   * that is.
   */
  personalKeys: Set<string>;
  /** Ids of the steps in which all that is said is personal. */
  personalSteps: Set<string>;
};

/**
 * What is personal in a definition. What a model extracts, sums up or says is personal when its prompt names something
 * that is; a label is not, since it is one of a few that the author has chosen.
 */
export function personalOf(
  { steps, evaluation = {} }: Pick<BotDefinition, 'steps' | 'evaluation'>,
  scope: Pick<CelScope, 'shows'>,
): Personal {
  const markedKeys = new Set(Object.keys(evaluation).filter((key) => evaluation[key]?.pii === true));
  const personal: Personal = {
    personalAnswers: new Set(),
    personalKeys: new Set(markedKeys),
    personalSteps: new Set(),
  };
  // Prompts may name what later steps save, so a round can find what the one before could not: until one finds nothing.
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
      if (scope.shows(expression).some((field) => isPersonalField(field, personal)))
        personal.personalKeys.add(key);
    }
  }
  return personal;
}

function isPersonalField(field: string, { personalAnswers }: Personal): boolean {
  const [source, ...names] = field.split('.');
  if (source !== 'answers') return source === 'customer';
  // One that is made of several may stand for them as a whole, and what is in it is as personal as it is.
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
