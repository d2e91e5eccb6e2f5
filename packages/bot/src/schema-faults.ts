import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import schema from '../schema/bot-v1.schema.json' with { type: 'json' };
import type { BotDefinition, BotFault, Step } from './format.ts';

/** The parts of a definition that fit the schema. `undefined` names could not be read: nothing is known of them. */
export type SoundParts = {
  locale: string | undefined;
  context: string[] | undefined;
  evaluation: string[] | undefined;
  steps: { step: Step; pointer: string }[];
  /** Where each id stands, those of faulty steps too, and the name that such a step may save under. */
  ids: { id: string; pointer: string; saveAs?: string }[];
  /** Whether every step is among `steps`. */
  complete: boolean;
};

let compiled: ValidateFunction<BotDefinition> | undefined;

/** Holds the input against the JSON Schema: the definition when it fits, else its faults and whatever parts fit. */
export function schemaFaults(input: unknown): {
  definition?: BotDefinition;
  parts: SoundParts;
  faults: BotFault[];
} {
  compiled ??= new Ajv2020({
    allErrors: true,
    verbose: true,
    allowUnionTypes: true,
    strictTypes: false,
    strictRequired: false,
  }).compile<BotDefinition>(schema);
  if (compiled(input)) return { definition: input, parts: soundParts(input, []), faults: [] };
  const faults = distinct((compiled.errors ?? []).flatMap(fault));
  return { faults, parts: soundParts(input, faults) };
}

function fault(error: ErrorObject): BotFault[] {
  const at = error.instancePath;
  const { params } = error;
  switch (error.keyword) {
    case 'if':
    case 'propertyNames':
      return []; // said by the errors inside
    case 'required':
      return [
        { pointer: `${at}/${escapePointer(String(params.missingProperty))}`, detail: 'This is required.' },
      ];
    case 'additionalProperties': {
      const name = String(params.additionalProperty);
      return [
        { pointer: `${at}/${escapePointer(name)}`, detail: `"${name}" is not known here.${known(error)}` },
      ];
    }
    case 'const':
      return [{ pointer: at, detail: `Must be ${JSON.stringify(params.allowedValue)}.` }];
    case 'enum':
      return [{ pointer: at, detail: `Must be one of: ${list(params.allowedValues)}.` }];
    case 'type':
      return [{ pointer: at, detail: `Must be ${typeNames(params.type)}.` }];
    case 'pattern': {
      const name = error.propertyName;
      const pointer = name === undefined ? at : `${at}/${escapePointer(name)}`;
      return [{ pointer, detail: `${JSON.stringify(name ?? error.data)} does not fit: ${hint(error)}` }];
    }
    case 'minLength':
      return [{ pointer: at, detail: atLeast(params.limit, 'characters') }];
    case 'minItems':
    case 'minProperties':
      return [{ pointer: at, detail: atLeast(params.limit, 'entries') }];
    case 'uniqueItems':
      return [
        { pointer: `${at}/${Math.max(Number(params.i), Number(params.j))}`, detail: 'This is there twice.' },
      ];
    case 'maxLength':
      return [{ pointer: at, detail: `Must have at most ${params.limit} characters.` }];
    case 'maxItems':
    case 'maxProperties':
      return [{ pointer: at, detail: `Must have at most ${params.limit} entries.` }];
    default:
      return [{ pointer: at, detail: `${capital(error.message ?? 'is not valid')}.` }];
  }
}

function atLeast(count: number, of: string): string {
  return count === 1 ? 'Must not be empty.' : `Must have at least ${count} ${of}.`;
}

function known(error: ErrorObject): string {
  const properties: unknown = error.parentSchema?.['properties'];
  if (typeof properties !== 'object' || properties === null) return '';
  return ` Known: ${Object.keys(properties).join(', ')}.`;
}

function hint(error: ErrorObject): string {
  const description: unknown = error.parentSchema?.['description'];
  return typeof description === 'string' ? description : `must match ${error.params.pattern}.`;
}

function list(values: unknown): string {
  return Array.isArray(values) ? values.join(', ') : String(values);
}

function typeNames(type: unknown): string {
  const names: Record<string, string> = {
    string: 'a string',
    object: 'an object',
    array: 'an array',
    boolean: 'true or false',
    integer: 'a whole number',
    number: 'a number',
  };
  const types = Array.isArray(type) ? type.map(String) : String(type).split(',');
  return types.map((name) => names[name] ?? name).join(' or ');
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A name as a part of a JSON pointer (RFC 6901). */
export function escapePointer(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

function distinct(faults: BotFault[]): BotFault[] {
  const seen = new Map(faults.map((one) => [`${one.pointer}\n${one.detail}`, one]));
  return [...seen.values()];
}

function soundParts(input: unknown, faults: BotFault[]): SoundParts {
  const faulty = new Set(faults.flatMap(({ pointer }) => [topOf(pointer, 1), topOf(pointer, 2)]));
  const fits = (pointer: string) => !faulty.has(pointer);
  const { locale, context, evaluation, steps: listed } = isRecord(input) ? input : {};
  const list: unknown[] = Array.isArray(listed) ? listed : [];
  const steps: SoundParts['steps'] = [];
  const ids: SoundParts['ids'] = [];
  list.forEach((step, index) => {
    const pointer = `/steps/${index}`;
    if (isRecord(step) && typeof step['id'] === 'string') {
      const { id, saveAs } = step;
      ids.push({ id, pointer, ...(typeof saveAs === 'string' && { saveAs }) });
    }
    if (isStep(step, fits(pointer))) steps.push({ step, pointer });
  });
  return {
    locale: fits('/locale') ? stringOr(locale, 'en') : undefined,
    context: fits('/context') ? namesOf(context) : undefined,
    evaluation: fits('/evaluation') ? Object.keys(isRecord(evaluation) ? evaluation : {}) : undefined,
    steps,
    ids,
    complete: list.length > 0 && steps.length === list.length,
  };
}

// The first parts of a pointer: /steps/3 of /steps/3/text.
function topOf(pointer: string, parts: number): string {
  return pointer
    .split('/')
    .slice(0, parts + 1)
    .join('/');
}

// A step under whose pointer the schema found nothing is one.
function isStep(_step: unknown, fits: boolean): _step is Step {
  return fits;
}

function namesOf(context: unknown): string[] {
  if (!Array.isArray(context)) return [];
  return context.flatMap((property: unknown) =>
    isRecord(property) && typeof property['name'] === 'string' ? [property['name']] : [],
  );
}

function stringOr(value: unknown, otherwise: string): string {
  return typeof value === 'string' ? value : otherwise;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
