import type { CelExpressions } from '../expressions/cel.ts';
import type { BotDefinition, Step } from '../definition/format.ts';
import { type Output, outputsOf } from './outputs.ts';
import { templateReferences } from '../text/template.ts';

export type PersonalNames = {
  /** Names under `answers` with personal values: marked, stored under a personal key, or made of personal values. */
  personalAnswers: Set<string>;
  /** Evaluation keys with personal values: marked, written by a personal step, or computed from personal values. */
  personalKeys: Set<string>;
  /** Context properties that are marked. */
  personalContext: Set<string>;
  /** Ids of the steps whose entries are personal. */
  personalSteps: Set<string>;
};

/**
 * Returns what is personal in a definition. The result of a model is personal when its prompt names personal values,
 * except a label, which the author has chosen.
 */
export function personalOf(
  { steps, evaluation = {}, context = [] }: Pick<BotDefinition, 'steps' | 'evaluation' | 'context'>,
  expressions: Pick<CelExpressions, 'readableFields'>,
): PersonalNames {
  const markedKeys = new Set(Object.keys(evaluation).filter((key) => evaluation[key]?.pii === true));
  const personal: PersonalNames = {
    personalAnswers: new Set(),
    personalKeys: new Set(markedKeys),
    personalContext: new Set(context.flatMap(({ name, pii }) => (pii === true ? [name] : []))),
    personalSteps: new Set(),
  };
  const sources = steps.map((step) => sourceOf(step, personal));
  const computed = steps.flatMap((step) => (step.kind === 'set' ? Object.entries(step.evaluation) : []));
  const found = () =>
    personal.personalAnswers.size + personal.personalSteps.size + personal.personalKeys.size;
  // Prompts and expressions may name results of later steps, so this repeats until a pass finds nothing new.
  for (let before = -1; before < found(); ) {
    before = found();
    for (const { step, outputs: added, names } of sources) {
      const isPersonal =
        names === 'always' ||
        names.answers.some((name) => personal.personalAnswers.has(name)) ||
        names.keys.some((key) => personal.personalKeys.has(key));
      if (isPersonal) personal.personalSteps.add(step.id);
      for (const { name, keys } of added) {
        const isMarked = keys.some((key) => markedKeys.has(key));
        if (!isMarked && !personal.personalSteps.has(step.id)) continue;
        if (step.kind !== 'llm' || step.mode === 'chat') personal.personalSteps.add(step.id);
        if (name !== undefined) personal.personalAnswers.add(name);
        for (const key of keys) personal.personalKeys.add(key);
      }
    }
    const isPersonalField = personalFields(personal);
    for (const [key, expression] of computed) {
      if (expressions.readableFields(expression).some(isPersonalField)) personal.personalKeys.add(key);
    }
  }
  return personal;
}

/** Returns a function that tells whether a field of an expression is personal. */
function personalFields({
  personalAnswers,
  personalContext,
  personalKeys,
}: PersonalNames): (field: string) => boolean {
  // A field with fields of its own is personal if one of them is, and the other way round.
  const inner = new Set([
    ...[...personalAnswers].flatMap((name) => [`answers.${name}`, `others.${name}`]),
    ...[...personalContext].map((name) => `context.${name}`),
    ...[...personalKeys].map((key) => `evaluation.${key}`),
  ]);
  const outer = new Set([...inner].flatMap(prefixesOf));
  return (field) => {
    const prefixes = prefixesOf(field);
    return prefixes[0] === 'customer' || outer.has(field) || prefixes.some((prefix) => inner.has(prefix));
  };
}

/** Returns `a`, `a.b` and `a.b.c` for `a.b.c`. */
function prefixesOf(path: string): string[] {
  const parts = path.split('.');
  return parts.map((_, index) => parts.slice(0, index + 1).join('.'));
}

/** The answers and evaluation keys by which a step is personal. */
type PersonalBy = { answers: string[]; keys: string[] } | 'always';

type Source = { step: Step; outputs: Output[]; names: PersonalBy };

function sourceOf(step: Step, personal: PersonalNames): Source {
  return { step, outputs: outputsOf(step), names: personalBy(step, personal) };
}

function personalBy(step: Step, { personalContext }: PersonalNames): PersonalBy {
  const never = { answers: [], keys: [] };
  if (step.kind === 'ask') return step.pii === true ? 'always' : never;
  if (step.kind !== 'llm') return never;
  if (step.pii === true) return 'always';
  if (step.mode === 'classify') return never;
  const { references } = templateReferences(step.prompt);
  const isAlways = references.some(
    ({ source, name }) => source === 'customer' || (source === 'context' && personalContext.has(name)),
  );
  if (isAlways) return 'always';
  const namedOf = (wanted: (typeof references)[number]['source']) =>
    references.flatMap(({ source, name }) => (source === wanted ? [name] : []));
  return { answers: namedOf('answers'), keys: namedOf('evaluation') };
}
