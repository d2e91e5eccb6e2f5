import { type Api, type Operation, type Scope, scopes } from './api.ts';
import { errorKinds } from './errors.ts';
import type { FlatApi } from './flat.ts';
import type { ObjectType, Type } from './types.ts';

/** The names of the declared enums, for a type of an answer. It has open enums, a type of a request closed ones. */
type Enums = ReadonlySet<string>;

/** Methods by name; nested for a name with dots. */
interface Methods {
  [name: string]: string | Methods;
}

/** Returns the types, calls and kinds of errors of `@parley/client`, by file, without their layout. */
export function typescriptFiles(
  api: Api,
  declared: FlatApi['declared'],
  notice: string,
): Record<string, string> {
  const enums: Enums = new Set(api.types.flatMap(({ name, type }) => (type.kind === 'enum' ? name : [])));
  // The line of an export is written by hand, beside its reader.
  const types = api.types.filter(({ name }) => name !== 'ExportedInteraction');
  const functions = scopes.map(([scope, about]) => functionOf(api, enums, scope, about)).join('\n\n');
  const named = types.map(({ name }) => name).filter((name) => new RegExp(`\\b${name}\\b`).test(functions));
  const readers = ['readFile', 'readText'].filter((name) => functions.includes(`${name}(`));
  const imports = `import type { CallOptions, Send } from '../calls/call.ts';
import { readExport } from '../export.ts';
${readers.length > 0 ? `import { ${readers.join(', ')} } from '../file.ts';\n` : ''}import { readList } from '../list.ts';
import type { Open } from '../open.ts';
import type { ${named.join(', ')} } from './api.ts';`;
  return {
    'api.ts': [
      `// ${notice}`,
      "import type { Open } from '../open.ts';",
      ...types.map(({ name, description, type }) => {
        // An enum of its own is closed: its uses in answers are open.
        const isOpen = type.kind !== 'enum' && declared.get(name)?.isReceived;
        return `${commentOf(description)}export type ${name} = ${textOf(type, isOpen ? enums : undefined)};`;
      }),
      `/** The body of an event of the catalogue with its envelope. */
export type CatalogueEvent = ${api.events.map((name) => `${name}Event`).join(' | ')};`,
      `/** The stable \`type\` of an error. */
export type ErrorType = ${api.errors.map((type) => `'${type}'`).join(' | ')};`,
    ].join('\n\n'),
    'calls.ts': [`// ${notice}`, imports, functions].join('\n\n'),
    'errors.ts': [`// ${notice}`, errorClasses()].join('\n\n'),
    'headers.ts': [`// ${notice}`, headersOf(api)].join('\n\n'),
  };
}

function headersOf({ headers }: Api): string {
  const fields = headers.map(({ option, description }) => `${commentOf(description)}${option}?: string;\n`);
  const names = headers.map(({ name, option }) => `${option}: '${name.toLowerCase()}',`);
  return `/** The header fields that calls can have. */
export interface HeaderOptions {\n${fields.join('')}}

export const headerNames = { ${names.join(' ')} } as const;`;
}

function errorClasses(): string {
  const classes = errorKinds.map(
    ({ name, description }) => `${commentOf(description)}export class ${name}Error extends ParleyError {}`,
  );
  const exact = errorKinds.flatMap(({ name, statuses }) =>
    statuses.map((status) => `${status}: ${name}Error,`),
  );
  return `import { ParleyError } from '../error.ts';

${classes.join('\n\n')}

const classes: Record<number, typeof ParleyError> = { ${exact.join(' ')} };

/** Throws an error of the API as one of the class of its kind. */
export function failed(error: unknown): never {
  if (!(error instanceof ParleyError)) throw error;
  const { type, status = 0, cause } = error;
  if (type === 'unexpected-answer') throw new UnexpectedAnswerError(error, { cause });
  const other = status === 0 ? NoAnswerError : UnexpectedAnswerError;
  const Kind = classes[status] ?? classes[status - (status % 100)] ?? other;
  throw new Kind(error, { cause });
}`;
}

function functionOf(api: Api, enums: Enums, scope: Scope, about: string): string {
  const isBound = scope === 'workspace' || scope === 'session';
  const methods: Methods = {};
  for (const operation of api.operations.filter((one) => one.scope === scope)) {
    let place = methods;
    for (const group of operation.groups) place = (place[group] ??= {}) as Methods;
    place[operation.name] = methodOf(operation, isBound, enums);
  }
  return `/** ${about} */
export const ${scope}Calls = (send: Send${isBound ? ', workspaceId: string' : ''}) => (${nested(methods)});`;
}

function nested(methods: Methods): string {
  const entries = Object.entries(methods).map(([name, value]) =>
    typeof value === 'string' ? value : `${name}: ${nested(value)},`,
  );
  return `{\n${entries.join('\n')}\n}`;
}

function methodOf(operation: Operation, isBound: boolean, enums: Enums): string {
  const { method, path, name, description, params, body, headers, isRepeatable } = operation;
  const query = queryOf(operation);
  const args = [
    ...params.map((param) => `${param.name}: ${textOf(param.type)}`),
    ...(body ? [`body${body.isRequired ? '' : '?'}: ${textOf(body.type)}`] : []),
    ...(query ? [query] : []),
    `options?: CallOptions<${headers.map(({ option }) => `'${option}'`).join(' | ') || 'never'}>`,
  ];
  const call = [
    `method: '${method}'`,
    `path: '${path}'`,
    ...(headers.some(({ option }) => option === 'idempotencyKey') ? ['takesIdempotencyKey: true'] : []),
    ...(isRepeatable ? [] : ['isRepeatable: false']),
  ];
  const names = [...(isBound ? ['workspaceId'] : []), ...params.map((param) => param.name)];
  const input = [
    ...(names.length > 0 ? [`params: { ${names.join(', ')} }`] : []),
    ...(body ? ['body'] : []),
    ...(query ? ['query'] : []),
  ];
  return `${commentOf(description)}${name}: (${args.join(', ')}) =>
  ${senderOf(operation, enums)} { ${call.join(', ')} }, { ${input.join(', ')} }, options),`;
}

function senderOf({ result }: Operation, enums: Enums): string {
  if (result.kind === 'export') return 'readExport(send,';
  if (result.kind === 'file') return `${result.isText ? 'readText' : 'readFile'}(send,`;
  if (result.kind === 'value') return `send<${textOf(result.type, enums)}>(`;
  return `readList<${textOf(result.item, enums)}, ${textOf(result.meta, enums)}>(send,`;
}

/** The argument for the query parameters, which are all optional; undefined when there are none. */
function queryOf({ query }: Operation): string | undefined {
  const fields = query.map(
    ({ name, description, type }) => `${commentOf(description)}${name}?: ${textOf(type)} | undefined;\n`,
  );
  return fields.length > 0 ? `query: {\n${fields.join('')}} = {}` : undefined;
}

/** With `open`, the names of the declared enums, the text has open enums. */
function textOf(type: Type, open?: Enums): string {
  switch (type.kind) {
    case 'enum': {
      const values = type.values.map((value) => JSON.stringify(value)).join(' | ');
      // A constant tells the objects of a union apart.
      return open && type.values.length > 1 ? `Open<${values}>` : values;
    }
    case 'array':
      return `Array<${textOf(type.items, open)}>`;
    case 'map':
      return `Record<string, ${textOf(type.values, open)}>`;
    case 'ref':
      return open?.has(type.name) ? `Open<${type.name}>` : type.name;
    case 'union':
      return [...new Set(type.of.map((one) => textOf(one, open)))].join(' | ');
    case 'object':
      return type.isOneOf ? oneOf(type, open) : objectOf(type, open);
    default:
      return type.kind === 'integer' ? 'number' : type.kind;
  }
}

function objectOf({ fields, others }: ObjectType, open?: Enums): string {
  const lines = fields.map(
    ({ name, description, type, isRequired }) =>
      `${commentOf(description)}${name}${isRequired ? '' : '?'}: ${textOf(type, open)};\n`,
  );
  return `{\n${lines.join('')}${others ? `[name: string]: ${textOf(others, open)};\n` : ''}}`;
}

function oneOf({ fields }: ObjectType, open?: Enums): string {
  return fields
    .map(({ name, type }) => {
      const others = fields.filter((field) => field.name !== name).map((field) => `${field.name}?: never;`);
      return `{ ${name}: ${textOf(type, open)}; ${others.join(' ')} }`;
    })
    .join(' | ');
}

/** Returns a docstring, empty without text. */
function commentOf(text: string): string {
  if (!text) return '';
  const lines = text.replaceAll('*/', '*\\/').split('\n');
  if (lines.length === 1) return `/** ${lines.join()} */\n`;
  return `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join('\n')}\n */\n`;
}
