import { isJsonObject } from '@parley/runtime/json/json-object';
import { readJson } from '@parley/runtime/json/json';
import { copyElement, insertElement, moveElement, type Path, removeValue, setValue } from './json-edits.ts';
import { type Name, namesOf, type Reference, referencesTo, stepsIn } from './references.ts';

/** The order of members that new ones keep. */
const orders = {
  definition: [
    'name',
    'description',
    'type',
    'typeLabel',
    'showTranscript',
    'revise',
    'locale',
    'stalledAfterSeconds',
    'reminders',
    'context',
    'evaluation',
    'steps',
  ],
  step: ['id', 'kind', 'mode', 'when', 'text', 'input', 'prompt', 'required', 'pii', 'evaluation', 'next'],
};

/** Returns the text with another value of a member of a step; without the member if the value is undefined. */
export function setInStep(text: string, index: number, path: Path, value: unknown): string {
  const whole: Path = ['steps', index, ...path];
  if (value === undefined) return removeValue(text, whole);
  return setValue(text, whole, value, path.length === 1 ? { order: orders.step } : {});
}

/** Returns the text with another value of a member of the bot; without the member if the value is undefined. */
export function setInBot(text: string, path: Path, value: unknown): string {
  if (value === undefined) return removeValue(text, path);
  return setValue(text, path, value, path.length === 1 ? { order: orders.definition } : {});
}

/** Returns the text with a key of the evaluation that is declared. `as`: how, unless it is declared already. */
export function declareKey(text: string, key: string, as: Record<string, unknown> = {}): string {
  const { evaluation } = definitionOf(text);
  if (!isJsonObject(evaluation))
    return setValue(text, ['evaluation'], { [key]: as }, { order: orders.definition });
  return Object.hasOwn(evaluation, key) ? text : setValue(text, ['evaluation', key], as);
}

/**
 * Returns the text with a step at an index. If the step before it names the one that follows, it goes on to the new
 * step, and the new one to that.
 */
export function insertStep(text: string, index: number, step: Record<string, unknown>): string {
  const steps = stepsIn(definitionOf(text));
  const before = steps[index - 1]?.['next'];
  const named = typeof before === 'string' ? before : undefined;
  const added = insertElement(text, ['steps'], index, withWayOn(step, named, idOf(steps[index])));
  return named === undefined ? added : removeValue(added, ['steps', index - 1, 'next']);
}

/** `named` must follow the step, `following` does without more. */
function withWayOn(step: Record<string, unknown>, named: string | undefined, following: string | undefined) {
  const target = named ?? following ?? '';
  if (step['kind'] === 'branch') return { ...step, next: [{ else: target }] };
  const next = named === undefined || step['kind'] === 'end' ? {} : { next: named };
  return step['kind'] === 'llm' ? { ...step, onError: { goto: target }, ...next } : { ...step, ...next };
}

/** Returns the text with a copy of a step behind it, under an id that no other step has. */
export function duplicateStep(text: string, index: number): string {
  const steps = stepsIn(definitionOf(text));
  const id = freeId(steps, idOf(steps[index]) ?? 'step');
  return copyElement(text, ['steps'], index, (source) => setValue(source, ['id'], id));
}

export function moveStep(text: string, from: number, to: number): string {
  return moveElement(text, ['steps'], from, to);
}

/**
 * Returns the text without a step. Steps that lead to it, by name or as the one before it, lead to the step that
 * follows it. What else names it stays, and no longer works then.
 */
export function deleteStep(text: string, index: number): string {
  const definition = definitionOf(text);
  const steps = stepsIn(definition);
  const id = idOf(steps[index]);
  const following = followingId(steps, index);
  if (following === undefined) return removeValue(text, ['steps', index]);
  const named = id === undefined ? [] : referencesTo(definition, [{ of: 'steps', name: id }]);
  const passed = named
    .filter(({ step }) => step !== index)
    .reduce((changed, { path }) => setValue(changed, path, following), text);
  const isLed = goesOn(steps[index - 1]) && following !== idOf(steps[index + 1]);
  return removeValue(isLed ? setInStep(passed, index - 1, ['next'], following) : passed, ['steps', index]);
}

/**
 * Returns what would no longer work without a step: what names it, or a value that no other step has. Other steps that
 * lead to it are led on, if a step follows it.
 */
export function brokenWithout(definition: unknown, index: number): Reference[] {
  const steps = stepsIn(definition);
  const isLed = followingId(steps, index) !== undefined;
  const names = ownNames(steps, index).filter(({ of }) => of !== 'steps' || !isLed);
  const named = referencesTo(definition, names).filter(({ step }) => step !== index);
  return [...wayFromBefore(steps, index), ...named].toSorted((one, other) => one.step - other.step);
}

/** Returns the way from the step before one to it, if it would lead elsewhere without that step. */
function wayFromBefore(steps: readonly Record<string, unknown>[], index: number): Reference[] {
  const before = steps[index - 1];
  const following = followingId(steps, index);
  const isSame = following === idOf(steps[index + 1]) && steps[index]?.['kind'] !== 'end';
  // A step whose condition is false goes on in the list, whatever it names.
  const isLost = before?.['when'] !== undefined || (goesOn(before) && following === undefined);
  if (isSame || !isLost) return [];
  return [
    { step: index - 1, kind: 'way', path: ['steps', index - 1, 'next'], source: idOf(steps[index]) ?? '' },
  ];
}

/** Returns whether the next step in the list follows a step that ran. */
function goesOn(step: Record<string, unknown> | undefined): boolean {
  return step !== undefined && step['kind'] !== 'end' && step['next'] === undefined;
}

/** Returns the names that no other step has: several may write one key of the evaluation. */
export function ownNames(steps: readonly Record<string, unknown>[], index: number): Name[] {
  const others = steps.toSpliced(index, 1).flatMap(namesOf);
  return namesOf(steps[index] ?? {}).filter(
    ({ of, name }) => !others.some((other) => other.of === of && other.name === name),
  );
}

/** Returns an id that no step has: the wanted one, or with the first free number behind it. */
export function freeId(steps: readonly Record<string, unknown>[], wanted: string): string {
  const taken = new Set(steps.flatMap(({ id, saveAs }) => [id, saveAs]));
  if (!taken.has(wanted)) return wanted;
  const base = wanted.replace(/\d+$/, '').slice(0, 60);
  let number = 2;
  while (taken.has(`${base}${number}`)) number += 1;
  return `${base}${number}`;
}

/** Returns the step that follows without a condition. */
function followingId(steps: readonly Record<string, unknown>[], index: number): string | undefined {
  const { id, next, kind } = steps[index] ?? {};
  if (kind === 'end') return undefined;
  const last: unknown = Array.isArray(next) ? next.at(-1)?.else : next;
  const target = typeof last === 'string' ? last : idOf(steps[index + 1]);
  return target === id ? undefined : target;
}

/** Returns the id of a step that has one. */
export function idOf(step: Record<string, unknown> | undefined): string | undefined {
  return typeof step?.['id'] === 'string' ? step['id'] : undefined;
}

/** Returns the object of a text that is one. */
export function definitionOf(text: string): Record<string, unknown> {
  return readJson(text, { repeatedMax: 1 }).value as Record<string, unknown>;
}
