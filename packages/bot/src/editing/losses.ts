import { isJsonObject } from '@parley/runtime/json/json-object';
import { type KnownValue, knownValues } from './known-values.ts';
import { namedIn, namesOf, placesOf, type Reference, stepsIn } from './references.ts';

/**
 * Returns the places of a changed definition that worked before and no longer do: they name a value that is gone, or
 * that is of another type now, compare a value with a choice that is gone, or keep a value under a key that is no
 * longer declared. Values of steps with faults are left out.
 */
export function brokenBy(before: Record<string, unknown>, after: Record<string, unknown>): Reference[] {
  const [old, now] = [valuesOf(before), valuesOf(after)];
  const isVague = vagueNames(after, now);
  const gone = new Set([...old.keys()].filter((name) => !now.has(name) && !isVague(name)));
  const retyped = new Set([...old].flatMap(([name, { type }]) => (isOther(type, now.get(name)) ? name : [])));
  const hasChoice = (name: string, text: string): boolean =>
    !choicesOf(old.get(name))?.has(text) || (choicesOf(now.get(name))?.has(text) ?? true);
  const used = placesOf(after).filter((place) => {
    const { names, compared } = namedIn(place);
    const isRetyped = place.kind === 'expression' && names.some((name) => retyped.has(name));
    return (
      isRetyped ||
      names.some((name) => gone.has(name)) ||
      compared.some(({ field, text }) => !hasChoice(field, text))
    );
  });
  return [...used, ...keptNoLonger(before, after)].toSorted((one, other) => one.step - other.step);
}

/** Returns the values by their names. Of the evaluation, those that a step writes. */
function valuesOf(definition: Record<string, unknown>): Map<string, KnownValue> {
  const written = new Set(stepsIn(definition).flatMap(namesOf).flatMap(resultName));
  const known = knownValues(definition).filter(
    ({ name }) => !name.startsWith('evaluation.') || written.has(name),
  );
  return new Map(known.map((value) => [value.name, value]));
}

function resultName({ of, name }: ReturnType<typeof namesOf>[number]): string[] {
  return of === 'evaluation' ? [`evaluation.${name}`] : [];
}

/** Returns which names a step with faults may have: its values are not known. */
function vagueNames(definition: unknown, known: ReadonlyMap<string, unknown>): (name: string) => boolean {
  const steps = stepsIn(definition)
    .flatMap(namesOf)
    .flatMap(({ of, name }) => (of === 'answers' ? [name] : []))
    .filter((name) => ![...known.keys()].some((one) => isPartOf(one, `answers.${name}`)));
  return (name) =>
    steps.some((step) => isPartOf(name, `answers.${step}`) || isPartOf(name, `others.${step}`));
}

function isPartOf(name: string, whole: string): boolean {
  return name === whole || name.startsWith(`${whole}.`);
}

function isOther(type: KnownValue['type'], value: KnownValue | undefined): boolean {
  return value !== undefined && value.type !== type;
}

/** Returns what can be chosen; undefined for a value that may be anything. */
function choicesOf(value: KnownValue | undefined): ReadonlySet<string> | undefined {
  const { choices, other } = value?.needs ?? {};
  if (!choices) return undefined;
  return new Set([...choices.map((choice) => choice.value), ...(other ? ['other'] : [])]);
}

/** Returns where steps write a key that was declared, or keep a field of a model that was there. */
function keptNoLonger(before: Record<string, unknown>, after: Record<string, unknown>): Reference[] {
  const [declared, declares] = [before['evaluation'], after['evaluation']];
  const isLost = (key: string): boolean =>
    isJsonObject(declared) &&
    Object.hasOwn(declared, key) &&
    !(isJsonObject(declares) && Object.hasOwn(declares, key));
  const fieldsBefore = new Map(stepsIn(before).map(({ id, fields }) => [id, fields]));
  return stepsIn(after).flatMap(({ id, evaluation, fields }, step) => {
    const entries: [path: string[], key: string, from?: unknown][] = isJsonObject(evaluation)
      ? Object.entries(evaluation).map(([key, from]) => [['evaluation', key], key, from])
      : typeof evaluation === 'string'
        ? [[['evaluation'], evaluation]]
        : [];
    const had = fieldsBefore.get(id);
    const isFieldLost = (from: unknown): boolean =>
      typeof from === 'string' &&
      isJsonObject(had) &&
      from in had &&
      !(isJsonObject(fields) && from in fields);
    return entries
      .filter(([, key, from]) => isLost(key) || isFieldLost(from))
      .map(([path, key]) => ({ step, kind: 'key' as const, path: ['steps', step, ...path], source: key }));
  });
}
