import type { FlatApi } from './flat.ts';
import { type Field, isSecret, type ObjectType, type Type, withoutNull } from './types.ts';
import { snakeCase, wrapped } from './words.ts';

const words = (text: string): Set<string> => new Set(text.split(' '));
const keywords = words('and as class def del from global if import in is lambda not or pass with');
const reservedFields = words('extra answer to_dict');
const reservedTypes = words('Answer CallInput CallOptions Event Model NotGiven Operation Page');

/** Returns a name of JSON as Python writes it: `pageSize` is `page_size`, `from` is `from_`. */
export function pythonName(name: string): string {
  const snake = snakeCase(name);
  return keywords.has(snake) ? `${snake}_` : snake;
}

/** Returns the lines of a text, with the names of fields as Python writes them. */
export function wrappedLines(text: string, width: number): string[] {
  return wrapped(text.replaceAll(/`[a-z]+(?:[A-Z][a-z]+)+`/g, snakeCase), width);
}

/** Returns a docstring of the given lines or of a text. Empty without text. */
export function docstring(given: string | string[], indent: string): string[] {
  const lines = typeof given === 'string' ? wrappedLines(given, 110 - indent.length) : given;
  const text = lines.join('\n').trim().replaceAll('"""', "'''");
  if (text === '') return [];
  // A quotation mark at the end would join the closing ones.
  const end = text.includes('\n') || text.endsWith('"') ? '\n' : '';
  const quoted = `${text.includes('\\') ? 'r' : ''}"""${text}${end}"""`;
  return quoted.split('\n').map((line) => (line === '' ? '' : indent + line));
}

/** Returns the type of a value in an answer, where enums are open, or in a request, where they are closed. */
export function typeText(api: FlatApi, type: Type, isSent: boolean): string {
  switch (type.kind) {
    case 'enum':
      if (isSent) return literal(type.values);
      if (typeof type.values[0] === 'string') return `Union[${literal(type.values)}, str]`;
      return typeof type.values[0] === 'boolean' ? 'bool' : 'int';
    case 'array':
      return `${isSent ? 'Sequence' : 'List'}[${typeText(api, type.items, isSent)}]`;
    case 'map':
      return `${isSent ? 'Mapping' : 'Dict'}[str, ${typeText(api, type.values, isSent)}]`;
    case 'union':
      return union(type, (one) => typeText(api, one, isSent));
    case 'ref':
      if (isSent) return sentName(api, type.name);
      return api.declared.get(type.name)?.type.kind === 'enum' ? `Union[${type.name}, str]` : type.name;
    default:
      return type.kind === 'object' ? type.name : scalarNames[type.kind];
  }
}

/** Returns the reader of a value in an answer; undefined if the value stays as JSON has it. */
export function decoderOf(api: FlatApi, given: Type): string | undefined {
  const { type } = withoutNull(given);
  if (type.kind === 'array' || type.kind === 'map') {
    const inner = decoderOf(api, type.kind === 'array' ? type.items : type.values);
    return inner && `${type.kind === 'array' ? 'many' : 'mapped'}(${inner})`;
  }
  if (type.kind === 'ref') {
    const inner = api.declared.get(type.name)?.type;
    return inner?.kind === 'object' ? `model(${type.name})` : inner && decoderOf(api, inner);
  }
  if (type.kind !== 'union') return undefined;
  const isObject = (one: Type): boolean => decoderOf(api, one)?.startsWith('model(') ?? false;
  const names = type.of.flatMap((one) => (isObject(one) && one.kind === 'ref' ? one.name : []));
  const others = type.of.filter((one) => !isObject(one)).flatMap((one) => decoderOf(api, one) ?? []);
  const readers = [...(names.length > 0 ? [`either(${names.join(', ')})`] : []), ...others];
  return readers.length > 1 ? `chain(${readers.join(', ')})` : readers[0];
}

/** Returns the names of the types whose fields an argument has, with `|`; undefined if it is sent as it is. */
export function typedFieldsOf(api: FlatApi, given: Type): string | undefined {
  const { type } = withoutNull(given);
  if (type.kind === 'array') return typedFieldsOf(api, type.items);
  if (type.kind === 'ref')
    return api.declared.get(type.name)?.type.kind === 'object' ? sentName(api, type.name) : undefined;
  if (type.kind === 'map' && typedFieldsOf(api, type.values))
    throw new Error('a map of objects cannot be sent');
  if (type.kind !== 'union') return undefined;
  return type.of.flatMap((one) => typedFieldsOf(api, one) ?? []).join('|') || undefined;
}

/** Objects that are sent and received have two types. */
function sentName(api: FlatApi, name: string): string {
  const one = api.declared.get(name);
  return one?.isReceived && one.type.kind === 'object' ? `${name}Input` : name;
}

export function publicTypes(api: FlatApi): string[] {
  const names = api.types.flatMap(({ name, type, isSent, isReceived }) => [
    ...(isReceived || type.kind !== 'object' ? [name] : []),
    ...(isSent && type.kind === 'object' ? [sentName(api, name)] : []),
  ]);
  return ['CatalogueEvent', 'ErrorType', ...names].toSorted();
}

/** Returns the module of types: dataclasses of what is received, typed dictionaries of what is sent. */
export function pythonTypes(api: FlatApi, notice: string): string {
  const events = api.events.map((name) => `${name}Event`);
  const aliases: string[] = [];
  const classes: string[] = [];
  const shapes: string[] = [];
  const inputs: string[] = [];
  for (const { name, description, type, isSent, isReceived } of api.types) {
    if (reservedTypes.has(name)) throw new Error(`${name} is the name of a class of the runtime`);
    if (type.kind !== 'object') {
      aliases.push(`${name} = ${type.kind === 'enum' ? literal(type.values) : typeText(api, type, false)}`);
      aliases.push(...docstring(description, ''));
      continue;
    }
    if (isReceived) {
      classes.push(...dataclass(api, type, description, events.includes(name) ? 'Event' : 'Model'), '', '');
      shapes.push(...shape(api, type));
    }
    if (isSent) {
      const sent = { ...type, name: sentName(api, name) };
      classes.push(...typedDict(api, sent, description), '', '');
      inputs.push(...fieldTable(api, sent));
    }
  }
  return moduleOf(api, notice, { aliases, classes, shapes, inputs });
}

function moduleOf(
  api: FlatApi,
  notice: string,
  { aliases, classes, shapes, inputs }: Record<'aliases' | 'classes' | 'shapes' | 'inputs', string[]>,
): string {
  return `# ${notice}
"""The types of the API: dataclasses of answers, typed dictionaries of requests."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Callable, Dict, List, Literal, Mapping, Optional, Sequence, TypedDict, Union

from parley._model import Event, Model, chain, either, many, mapped, model, register, register_inputs

__all__ = [
${publicTypes(api)
  .map((name) => `    "${name}",`)
  .join('\n')}
]

${aliases.join('\n')}
ErrorType = ${literal(api.errors)}
"""The stable type of an error."""


${classes.join('\n').trim()}


CatalogueEvent = Union[${api.events.map((name) => `${name}Event`).join(', ')}]
"""The body of an event of the catalogue with its envelope."""

EVENTS: Dict[str, Callable[[Any], CatalogueEvent]] = {
${api.events.map((name) => `    "${name}": model(${name}Event),`).join('\n')}
}

${shapes.join('\n')}
register_inputs(
    {
${inputs.map((line) => `        ${line}`).join('\n')}
    }
)
`;
}

function dataclass(api: FlatApi, { name, fields }: ObjectType, about: string, base: string): string[] {
  return [
    '@dataclass',
    `class ${name}(${base}):`,
    ...docstring(about || `Part of an answer: ${name}.`, '    '),
    '',
    ...[...required(fields), ...optional(fields)].flatMap(({ name: field, description, ...one }) => {
      const attribute = pythonName(field);
      if (reservedFields.has(attribute)) throw new Error(`${name}.${attribute} has the name of a method`);
      const text = typeText(api, one.type, false);
      const orNone = text.startsWith('Optional[') ? text : `Optional[${text}]`;
      const hidden = `field(${one.isRequired ? '' : 'default=None, '}repr=False)`;
      const preset = isSecret({ name: field, description, ...one })
        ? ` = ${hidden}`
        : one.isRequired
          ? ''
          : ' = None';
      const declared = `    ${attribute}: ${one.isRequired ? text : orNone}${preset}`;
      return [declared, ...docstring(description, '    ')];
    }),
    '    extra: Dict[str, Any] = field(default_factory=dict)',
  ];
}

function shape(api: FlatApi, { name, fields }: ObjectType): string[] {
  const entries = fields.map(({ name: field, type, isRequired }) => {
    const values = [`"${pythonName(field)}"`, decoderOf(api, type) ?? 'None', isRequired ? 'True' : 'False'];
    return `        "${field}": (${values.join(', ')}),`;
  });
  return ['register(', `    ${name},`, '    {', ...entries, '    },', ')'];
}

function typedDict(api: FlatApi, { name, fields }: ObjectType, about: string): string[] {
  const part = (heading: string, some: Field[]): string[] => [
    heading,
    ...docstring(about || `Part of a request: ${name}.`, '    '),
    '',
    ...some.flatMap(({ name: field, description, type }) => [
      `    ${pythonName(field)}: ${typeText(api, type, true)}`,
      ...docstring(description, '    '),
    ]),
  ];
  if (optional(fields).length === 0) return part(`class ${name}(TypedDict):`, fields);
  if (required(fields).length === 0) return part(`class ${name}(TypedDict, total=False):`, fields);
  const base = `_${name}Required`;
  const others = part(`class ${name}(${base}, total=False):`, optional(fields));
  return [...part(`class ${base}(TypedDict):`, required(fields)), '', '', ...others];
}

function fieldTable(api: FlatApi, { name, fields }: ObjectType): string[] {
  const entries = fields.map(({ name: field, type }) => {
    const inner = typedFieldsOf(api, type);
    return `    "${pythonName(field)}": ("${field}", ${inner === undefined ? 'None' : `"${inner}"`}),`;
  });
  return [`"${name}": {`, ...entries, '},'];
}

const required = (fields: Field[]): Field[] => fields.filter((one) => one.isRequired);
const optional = (fields: Field[]): Field[] => fields.filter((one) => !one.isRequired);

const scalarNames = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
  unknown: 'Any',
};

function union(given: Type, text: (type: Type) => string): string {
  const { type, isNullable } = withoutNull(given);
  const of = type.kind === 'union' ? [...new Set(type.of.map(text))] : [text(type)];
  const inner = of.length === 1 ? of.join() : `Union[${of.join(', ')}]`;
  return isNullable ? `Optional[${inner}]` : inner;
}

function literal(values: unknown[]): string {
  const written = values.map((value) =>
    typeof value === 'boolean' ? (value ? 'True' : 'False') : JSON.stringify(value),
  );
  return `Literal[${written.join(', ')}]`;
}
