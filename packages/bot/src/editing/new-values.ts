import { impliedLabels } from '../questions/implied-labels.ts';
import { type Control, type Field, inputFields, type Schema, stepFields } from './forms.ts';

/**
 * Returns the first words of a text, by the name of its field, and by its number in a list. A text inside of another
 * field has both names, such as `other.label`.
 */
export type FirstWords = (name: string, number?: number) => string;

/** How many entries a new list has, if it may have so many. */
const entries = 2;

/** In seconds. */
const day = 86_400;

/** Returns a valid rule of a type of questions. Labels that would be English in every language are given. */
export function newInput(root: Schema, type: string, say: FirstWords): Record<string, unknown> {
  const fields = inputFields(root, type).map((field) => ({
    ...field,
    isRequired: field.isRequired || (field.name === 'labels' && Object.hasOwn(impliedLabels, type)),
  }));
  return { type, ...newMembers(root, fields, say) };
}

/** Returns a rule of another type, which keeps the options that both types have. */
export function inputOfType(
  root: Schema,
  before: Record<string, unknown>,
  type: string,
  say: FirstWords,
): Record<string, unknown> {
  const earlier = new Map(inputFields(root, before['type']).map(({ name, control }) => [name, control]));
  const kept = inputFields(root, type).filter(
    ({ name, control }) =>
      before[name] !== undefined && JSON.stringify(earlier.get(name)) === JSON.stringify(control),
  );
  return {
    ...newInput(root, type, say),
    ...Object.fromEntries(kept.map(({ name }) => [name, before[name]])),
  };
}

/** Returns a step of a kind with what it needs. Its text is for the author to write. */
export function newStep(
  root: Schema,
  { kind, mode, type }: { kind: string; mode?: string; type?: string },
  id: string,
  say: FirstWords,
): Record<string, unknown> {
  const fields = stepFields(root, kind, mode);
  const given = { ...(mode !== undefined && { mode }), ...newMembers(root, fields, say, type) };
  return { id, kind, ...given, ...('text' in given && { text: '' }) };
}

/** Returns the value with which a field or an entry begins. */
export function newValue(
  root: Schema,
  { name, control }: Pick<Field, 'name' | 'control'>,
  say: FirstWords,
  { type = 'text', number }: { type?: string | undefined; number?: number } = {},
): unknown {
  switch (control.kind) {
    case 'words':
      return say(name, number);
    case 'line':
      return number === undefined ? '' : `option${number}`;
    case 'name':
      return number === undefined ? '' : `value${number}`;
    case 'expression':
    case 'locale':
      return '';
    case 'duration':
      return Math.max(control.min, Math.min((number ?? 1) * day, control.max ?? Number.POSITIVE_INFINITY));
    case 'numeric':
      return control.min ?? 0;
    case 'flag':
      return !control.otherwise;
    case 'constant':
      return control.value;
    case 'next':
      return [];
    case 'input':
      return newInput(root, type, say);
    case 'map':
      return {};
    case 'object':
      return newMembers(
        root,
        control.fields,
        number === undefined ? (inner, at) => say(`${name}.${inner}`, at) : say,
        type,
        number,
      );
    case 'list':
      return Array.from({ length: Math.min(control.max, Math.max(control.min, entries)) }, (_, at) =>
        newEntry(root, control, say, at + 1),
      );
  }
}

/** Returns another entry of a list. */
export function newEntry(
  root: Schema,
  { item }: Extract<Control, { kind: 'list' }>,
  say: FirstWords,
  number: number,
): unknown {
  return newValue(root, { name: 'entry', control: item }, say, { number });
}

function newMembers(
  root: Schema,
  fields: readonly Field[],
  say: FirstWords,
  type?: string,
  number?: number,
): Record<string, unknown> {
  const required = fields.filter(({ isRequired }) => isRequired);
  const options = { type, ...(number !== undefined && { number }) };
  return Object.fromEntries(required.map((field) => [field.name, newValue(root, field, say, options)]));
}
