import { isJsonObject } from '@parley/runtime/json/json-object';
import { isField } from './conditions.ts';
import { type Path, renameMember, setValue } from './json-edits.ts';
import { asksFor, type Name, namesOf, referencesTo, renamed, stepsIn } from './references.ts';
import { declareKey, definitionOf, idOf, ownNames } from './steps.ts';

/**
 * Returns the text with another id of a step, also where steps refer to it. What a step of a model saves has a name of
 * its own, which stays.
 */
export function renameStep(text: string, index: number, id: string): string {
  const definition = definitionOf(text);
  const step = stepsIn(definition)[index] ?? {};
  const before = idOf(step);
  if (before === undefined) return setValue(text, ['steps', index, 'id'], id);
  return setValue(withName(text, namesById(step), id), ['steps', index, 'id'], id);
}

/**
 * Returns why a step cannot get an id: another step has the name, or an expression asks with `has` for its answer,
 * which CEL cannot do by such a name.
 */
export function renameFault(definition: unknown, index: number, id: string): 'taken' | 'asked' | undefined {
  const steps = stepsIn(definition);
  if (steps.toSpliced(index, 1).some((other) => other['id'] === id || other['saveAs'] === id)) return 'taken';
  return canBe(definition, namesById(steps[index] ?? {}), id) ? undefined : 'asked';
}

/** Returns the names that a step has by its id. */
function namesById(step: Record<string, unknown>): Name[] {
  return namesOf(step).filter(({ of }) => of === 'steps' || (of === 'answers' && step['kind'] === 'ask'));
}

/** Returns whether all expressions that use the names can use another. */
function canBe(definition: unknown, names: readonly Name[], to: string): boolean {
  if (isField(to)) return true;
  return !referencesTo(definition, names).some((place) => names.some((name) => asksFor(place, name)));
}

/**
 * Returns the text with another key of the evaluation in a step, also where steps read it, unless another step writes
 * it, too. The new key is declared like the old one. A key that the step has, an empty one, or one that an expression
 * cannot use changes nothing.
 */
export function renameKey(text: string, index: number, before: string, after: string): string {
  const definition = definitionOf(text);
  const steps = stepsIn(definition);
  const keys = steps[index]?.['evaluation'];
  if (!isJsonObject(keys) || !Object.hasOwn(keys, before) || after === '' || Object.hasOwn(keys, after))
    return text;
  const own = ownNames(steps, index).filter(({ of, name }) => of === 'evaluation' && name === before);
  if (!canBe(definition, own, after)) return text;
  const read = withName(text, own, after);
  const declared: unknown = Object(definition['evaluation'])[before];
  const written = renameMember(read, ['steps', index, 'evaluation', before], after);
  return declareKey(written, after, isJsonObject(declared) ? declared : {});
}

/**
 * Returns the text with another key of the evaluation wherever steps write or read it. A key that is declared, an empty
 * one, or one that an expression cannot use changes nothing.
 */
export function renameResult(text: string, before: string, after: string): string {
  const definition = definitionOf(text);
  const { evaluation } = definition;
  const name: Name = { of: 'evaluation', name: before };
  const steps = stepsIn(definition);
  if (!isJsonObject(evaluation) || !Object.hasOwn(evaluation, before)) return text;
  const isTaken = [evaluation, ...steps.map((step) => step['evaluation'])].some(
    (keys) => isJsonObject(keys) && Object.hasOwn(keys, after),
  );
  if (after === '' || isTaken || !canBe(definition, [name], after)) return text;
  const written = steps.reduce(
    (changed, { evaluation: keys }, index) => {
      const path: Path = ['steps', index, 'evaluation'];
      return keys === before
        ? setValue(changed, path, after)
        : renameMember(changed, [...path, before], after);
    },
    withName(text, [name], after),
  );
  return renameMember(written, ['evaluation', before], after);
}

/** Returns the text with another name of a property of the context, also where steps read it, unless they cannot. */
export function renameContext(text: string, index: number, after: string): string {
  const definition = definitionOf(text);
  const names = listIn(definition['context']).map((property) => Object(property)['name'] as unknown);
  const before = names[index];
  const isTaken = names.some((name, at) => at !== index && (name === before || name === after));
  const own: Name[] = typeof before === 'string' ? [{ of: 'context', name: before }] : [];
  const isKept = after === '' || isTaken || !canBe(definition, own, after);
  return setValue(isKept ? text : withName(text, own, after), ['context', index, 'name'], after);
}

function listIn(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Returns the text with another name wherever steps use one of the names. */
function withName(text: string, names: readonly Name[], to: string): string {
  return names.reduce(
    (changed, name) =>
      referencesTo(definitionOf(changed), [name]).reduce(
        (next, { path, ...place }) => setValue(next, path, renamed(place, name, to)),
        changed,
      ),
    text,
  );
}
