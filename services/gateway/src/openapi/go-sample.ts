import type { Operation } from '@parley/sdk-generator/api';
import type { FlatApi } from '@parley/sdk-generator/flat';
import { argumentsOf, goName, isPointer, queryTypeOf, textOf } from '@parley/sdk-generator/go';
import { type Field, type Type, withoutNull } from '@parley/sdk-generator/types';
import type { SampleAccess, SampleRequest } from './samples.ts';

/** Returns the call with the Go SDK, as statements of a function with a `ctx`. */
export function goSample(
  api: FlatApi,
  operation: Operation,
  { params, query, body }: Pick<SampleRequest, 'params' | 'query' | 'body'>,
  { baseUrl, apiKey, apiSecret }: SampleAccess,
): string {
  const workspace = JSON.stringify(params['workspaceId']);
  const [client, opened = ''] = {
    key: ['client'],
    workspace: ['workspace', `workspace := client.Workspace(${workspace})\n`],
    token: ['client.Public'],
    session: ['session', `session := client.Public.Session(${workspace}, "SESSION_TOKEN")\n`],
  }[operation.scope];
  const pointer = operation.body?.isRequired === false ? '&' : '';
  const given = argumentsOf(operation, {
    params: operation.params.map(({ name }) => JSON.stringify(params[name])),
    body: operation.body && body !== undefined ? pointer + literal(api, body, operation.body.type) : 'nil',
    query: queryLiteral(operation, query),
  });
  const method = [client, ...operation.groups.map(goName), goName(operation.name)].join('.');
  const called = `${method}(${['ctx', ...given].join(', ')})`;
  const access = [baseUrl, apiKey, apiSecret].map((text) => JSON.stringify(text)).join(', ');
  const { result } = operation;
  const isIterated = result.kind === 'export' || (result.kind === 'list' && operation.method === 'GET');
  const hasResult = result.kind !== 'value' || result.type.kind !== 'null';
  return `client, err := parley.New(${access})
if err != nil {
	return err
}
${opened}${isIterated ? `items := ${called}\nfor items.Next() {\n\tfmt.Println(items.Current())\n}\nerr = items.Err()` : hasResult ? `result, err := ${called}` : `err = ${called}`}`;
}

function queryLiteral(operation: Operation, query: SampleRequest['query']): string {
  const fields = Object.entries(query).map(([name, value]) => {
    const text = JSON.stringify(value);
    return `${goName(name)}: ${typeof value === 'boolean' ? `parley.Ptr(${text})` : text}`;
  });
  return fields.length > 0
    ? `&parley.${queryTypeOf(operation, operation.groups.map(goName).join(''))}{${fields.join(', ')}}`
    : 'nil';
}

/** Returns a value of JSON as Go writes it. */
function literal(api: FlatApi, value: unknown, given: Type): string {
  const { type } = withoutNull(given);
  const declared = type.kind === 'ref' ? api.declared.get(type.name)?.type : undefined;
  if (declared?.kind === 'object') {
    const entries = declared.fields.flatMap((field): [string, string][] => {
      const one = (value as Record<string, unknown>)[field.name];
      return one === undefined ? [] : [[`${goName(field.name)}:`, member(api, one, field)]];
    });
    return `${qualified(type)}${braced(aligned(entries))}`;
  }
  if (declared?.kind === 'enum') return `${qualified(type)}${goName(String(value))}`;
  if (type.kind === 'array') {
    const items = (value as unknown[]).map((one) =>
      literal(api, one, type.items).replace(/^parley\.\w+(?=\{)/, ''),
    );
    return `${qualified(type)}${braced(items)}`;
  }
  if (type.kind === 'number') return Number.isInteger(value) ? `${String(value)}.0` : String(value);
  return anyLiteral(value, type.kind === 'ref' || type.kind === 'map' ? qualified(type) : 'map[string]any');
}

function member(api: FlatApi, value: unknown, field: Field): string {
  const { type, isNullable } = withoutNull(field.type);
  if (value === null) return `parley.Null[${qualified(type)}]()`;
  const text = literal(api, value, type);
  if (isNullable) return `parley.Set(${text})`;
  const kind = type.kind === 'ref' ? api.declared.get(type.name)?.type.kind : undefined;
  if (!isPointer({ ...field, type }, { isReceived: false, kind })) return text;
  return /^parley\.\w+\{/.test(text) ? `&${text}` : `parley.Ptr(${text})`;
}

function anyLiteral(value: unknown, object: string): string {
  if (value === null) return 'nil';
  if (Array.isArray(value)) return `[]any${braced(value.map((one) => anyLiteral(one, 'map[string]any')))}`;
  if (typeof value !== 'object') return JSON.stringify(value);
  const entries = Object.entries(value).map(([name, one]): [string, string] => [
    `${JSON.stringify(name)}:`,
    anyLiteral(one, 'map[string]any'),
  ]);
  return `${object}${braced(aligned(entries))}`;
}

/** Pads the names of neighbours, as gofmt does. A value of several lines ends a group. */
function aligned(entries: [name: string, value: string][]): string[] {
  return entries.map(([name, value], index) => {
    if (value.includes('\n')) return `${name} ${value}`;
    let [from, to] = [index, index];
    while (from > 0 && !entries[from - 1]?.[1].includes('\n')) from -= 1;
    while (to + 1 < entries.length && !entries[to + 1]?.[1].includes('\n')) to += 1;
    const width = Math.max(...entries.slice(from, to + 1).map(([one]) => one.length));
    return `${name.padEnd(width)} ${value}`;
  });
}

function braced(items: string[]): string {
  const short = `{${items.map((one) => one.replace(/: +/, ': ')).join(', ')}}`;
  if (!short.includes('\n') && short.length < 60) return short;
  return `{\n${items.map((one) => `${one},`.replaceAll(/^/gm, '\t')).join('\n')}\n}`;
}

function qualified(type: Type): string {
  return textOf(type).replaceAll(/\b[A-Z]\w*/g, 'parley.$&');
}
