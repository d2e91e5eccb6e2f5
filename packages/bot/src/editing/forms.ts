/** The part of JSON Schema (2020-12) that the schema of bots uses. */
export interface Schema {
  $ref?: string;
  $defs?: Record<string, Schema>;
  type?: string;
  description?: string;
  default?: unknown;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  properties?: Record<string, Schema | undefined>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  items?: Schema;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  maxLength?: number;
}

/** How a value of a definition is edited. */
export type Control =
  /** A text or label, in one or several languages. `hasValues`: it may name values. */
  | { kind: 'words'; hasValues: boolean }
  /** `isName`: a name in data, which others refer to. */
  | { kind: 'line'; isLong: boolean; isName: boolean }
  | { kind: 'numeric'; isWhole: boolean; min: number | undefined; max: number | undefined }
  | { kind: 'flag'; otherwise: boolean }
  /** A number of seconds. `hasNever`: null is no time at all. `otherwise`: what a missing value means. */
  | {
      kind: 'duration';
      min: number;
      max: number | undefined;
      hasNever: boolean;
      otherwise: number | undefined;
    }
  /** A box that sets the only value. */
  | { kind: 'constant'; value: unknown }
  /** An id of a step, or the key of an evaluation, by the name of the field. */
  | { kind: 'name' | 'expression' | 'next' | 'input' | 'locale' }
  | { kind: 'object'; fields: Field[] }
  | { kind: 'list'; item: Control; min: number; max: number }
  /** Values under names of the author's choice. */
  | { kind: 'map'; item: Control };

export interface Field {
  name: string;
  control: Control;
  isRequired: boolean;
  about: string | undefined;
}

/** Members that no form changes. Forms say why. */
export const fixedMembers = {
  bot: ['$schema', 'schemaVersion', 'key'],
  step: ['kind', 'mode', 'translated'],
} as const;

/** Members without a field: the fixed ones, and those that have a place of their own. */
const withoutField = {
  bot: new Set<string>([...fixedMembers.bot, 'steps']),
  step: new Set<string>([...fixedMembers.step, 'id']),
};

/** Returns the fields of a bot beside its steps. */
export function botFields(root: Schema): Field[] {
  return fieldsOf(root, root).filter(({ name }) => !withoutField.bot.has(name));
}

/** Returns the kinds of steps, with the mode of those that have several. */
export function stepKinds(root: Schema): { kind: string; mode?: string }[] {
  return stepSchemas(root).map(({ properties = {} }) => {
    const [kind, mode] = ['kind', 'mode'].map((name) => properties[name]?.const);
    return { kind: String(kind), ...(typeof mode === 'string' && { mode }) };
  });
}

/** Returns the kind of the steps that ask a question. */
export function questionKind(root: Schema): string {
  const { kind = '' } =
    stepKinds(root).find(({ kind: one, mode }) =>
      stepFields(root, one, mode).some(({ control }) => control.kind === 'input'),
    ) ?? {};
  return kind;
}

/** Returns the fields of a kind of steps; none for a kind that the schema does not have. */
export function stepFields(root: Schema, kind: unknown, mode?: unknown): Field[] {
  const found = stepSchemas(root).find(
    ({ properties = {} }) => properties['kind']?.const === kind && properties['mode']?.const === mode,
  );
  return found ? fieldsOf(root, found).filter(({ name }) => !withoutField.step.has(name)) : [];
}

/** Returns the types of questions. */
export function inputTypes(root: Schema): string[] {
  return alternatives(root, { $ref: '#/$defs/input' }).flatMap((schema) => typesOf(schema));
}

/** Returns the options of a type of questions; none for a type that the schema does not have. */
export function inputFields(root: Schema, type: unknown): Field[] {
  const found = alternatives(root, { $ref: '#/$defs/input' }).find((schema) =>
    typesOf(schema).includes(String(type)),
  );
  return found ? fieldsOf(root, found).filter(({ name }) => name !== 'type') : [];
}

function typesOf({ properties = {} }: Schema): string[] {
  const { const: only, enum: several = [only] } = properties['type'] ?? {};
  return several.map(String);
}

function stepSchemas(root: Schema): Schema[] {
  return alternatives(root, root.properties?.['steps']?.items ?? {});
}

function fieldsOf(root: Schema, { properties = {}, required = [] }: Schema): Field[] {
  return Object.entries(properties).flatMap(([name, schema = {}]) => {
    const control = name.endsWith('Seconds') ? durationOf(target(root, schema)) : controlOf(root, schema);
    const { description } = schema.description === undefined ? target(root, schema) : schema;
    return control ? [{ name, control, isRequired: required.includes(name), about: description }] : [];
  });
}

const byReference: Record<string, Control> = {
  text: { kind: 'words', hasValues: true },
  label: { kind: 'words', hasValues: false },
  name: { kind: 'name' },
  when: { kind: 'expression' },
  expression: { kind: 'expression' },
  next: { kind: 'next' },
  arms: { kind: 'next' },
  input: { kind: 'input' },
  locale: { kind: 'locale' },
};

function durationOf({ anyOf = [], default: otherwise, ...own }: Schema): Control {
  const { minimum: min = 0, maximum: max } = anyOf.find(({ type }) => type === 'integer') ?? own;
  return {
    kind: 'duration',
    min,
    max,
    hasNever: anyOf.some(({ type }) => type === 'null'),
    otherwise: typeof otherwise === 'number' ? otherwise : undefined,
  };
}

/** Returns undefined for a value that no form can edit. */
function controlOf(root: Schema, given: Schema): Control | undefined {
  const known = byReference[nameOf(given)];
  if (known) return known;
  const schema = target(root, given);
  if (schema.const !== undefined) return { kind: 'constant', value: schema.const };
  if (numbers.has(schema.type ?? '')) {
    const isWhole = schema.type === 'integer';
    return { kind: 'numeric', isWhole, min: schema.minimum, max: schema.maximum };
  }
  switch (schema.type) {
    case 'boolean':
      return { kind: 'flag', otherwise: schema.default === true };
    case 'string':
      return {
        kind: 'line',
        isLong: (schema.maxLength ?? 0) > longFrom,
        isName: schema.pattern !== undefined,
      };
    case 'array': {
      const item = schema.items && controlOf(root, schema.items);
      const { minItems: min = 0, maxItems: max = Number.POSITIVE_INFINITY } = schema;
      return item && { kind: 'list', item, min, max };
    }
    case 'object': {
      if (schema.properties) return { kind: 'object', fields: fieldsOf(root, schema) };
      const { additionalProperties: other } = schema;
      const item = typeof other === 'object' ? controlOf(root, other) : undefined;
      return item && { kind: 'map', item };
    }
    default:
      return undefined;
  }
}

const numbers = new Set(['integer', 'number']);

/** From this many characters, a text gets several lines. */
const longFrom = 1000;

function nameOf({ $ref = '' }: Schema): string {
  return $ref.replace('#/$defs/', '');
}

function target(root: Schema, schema: Schema): Schema {
  const found = schema.$ref === undefined ? undefined : root.$defs?.[nameOf(schema)];
  return found ? target(root, found) : schema;
}

/** Follows references, and replaces a choice by what can be chosen. */
function alternatives(root: Schema, schema: Schema): Schema[] {
  const { anyOf, oneOf, ...own } = target(root, schema);
  const choices = anyOf ?? oneOf;
  return choices ? choices.flatMap((choice) => alternatives(root, choice)) : [own];
}
