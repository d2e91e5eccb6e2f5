import type { Operation } from './api.ts';
import { argumentsOf, goName, isPointer, textOf } from './go.ts';
import { type Field, type Type, withoutNull } from './types.ts';

/** What a sample calls. */
export interface Sample {
  baseUrl: string;
  apiKey: string;
  apiSecret: string;
  sessionToken: string;
  /** Also of the workspace. */
  params: Record<string, string | number>;
  body: unknown;
}

/** Returns the call of an operation with the Go SDK, as statements of a function with a `ctx`. */
export function goSample(operation: Operation, sample: Sample, declared: (name: string) => Type): string {
  const { baseUrl, apiKey, apiSecret, sessionToken, params, body } = sample;
  const workspace = JSON.stringify(params['workspaceId']);
  const [client, opened = ''] = {
    key: ['client'],
    workspace: ['workspace', `workspace := client.Workspace(${workspace})\n`],
    token: ['client.Public'],
    session: ['session', `session := client.Public.Session(${workspace}, ${JSON.stringify(sessionToken)})\n`],
  }[operation.scope];
  const bodyType = operation.body?.type ?? { kind: 'unknown' };
  const pointer = operation.body?.isRequired === false ? '&' : '';
  const bodyText = body === undefined ? 'nil' : pointer + literal(body, bodyType, declared);
  const given = argumentsOf(operation, {
    params: operation.params.map(({ name }) => JSON.stringify(params[name])),
    body: bodyText,
    query: 'nil',
  });
  const called = `${[client, ...operation.groups.map(goName), goName(operation.name)].join('.')}(${['ctx', ...given].join(', ')})`;
  const connect = `client, err := parley.New(${[baseUrl, apiKey, apiSecret].map((text) => JSON.stringify(text)).join(', ')})
if err != nil {
	return err
}
${opened}`;
  const { result, method } = operation;
  if (result.kind === 'export' || (result.kind === 'list' && method === 'GET')) {
    return `${connect}items := ${called}
for items.Next() {
	fmt.Println(items.Current())
}
err = items.Err()`;
  }
  if (result.kind === 'value' && result.type.kind === 'null') return `${connect}err = ${called}`;
  return `${connect}result, err := ${called}`;
}

/** Returns a value of JSON as Go writes it. */
function literal(value: unknown, given: Type, declared: (name: string) => Type): string {
  const { type } = withoutNull(given);
  switch (type.kind) {
    case 'ref': {
      const inner = declared(type.name);
      if (inner.kind === 'object') return literal(value, { ...inner, name: type.name }, declared);
      if (inner.kind === 'enum') return literal(value, { ...inner, name: type.name }, declared);
      return anyLiteral(value, `parley.${goName(type.name)}`);
    }
    case 'enum':
      return type.values.length === 1
        ? JSON.stringify(value)
        : `parley.${goName(type.name)}${goName(String(value))}`;
    case 'array': {
      const items = (value as unknown[]).map((one) =>
        literal(one, type.items, declared).replace(/^parley\.\w+(?=\{)/, ''),
      );
      return `[]${qualified(type.items)}${braced(items)}`;
    }
    case 'map':
      return anyLiteral(value, qualified(type));
    case 'object': {
      const entries = type.fields.flatMap((field): [string, string][] => {
        const one = (value as Record<string, unknown>)[field.name];
        return one === undefined ? [] : [[`${goName(field.name)}:`, member(one, field, declared)]];
      });
      return `parley.${goName(type.name)}${braced(aligned(entries))}`;
    }
    case 'number':
      return Number.isInteger(value) ? `${String(value)}.0` : String(value);
    default:
      return anyLiteral(value, 'map[string]any');
  }
}

function member(value: unknown, field: Field, declared: (name: string) => Type): string {
  const { type, isNullable } = withoutNull(field.type);
  if (value === null) return `parley.Null[${qualified(type)}]()`;
  const text = literal(value, type, declared);
  if (isNullable) return `parley.Set(${text})`;
  const { kind } = type.kind === 'ref' ? declared(type.name) : type;
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
  if (type.kind === 'array') return `[]${qualified(type.items)}`;
  if (type.kind === 'object' || (type.kind === 'enum' && type.values.length > 1))
    return `parley.${goName(type.name)}`;
  return textOf(type).replaceAll(/\b[A-Z]\w*/g, 'parley.$&');
}
