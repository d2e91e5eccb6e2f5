import type { Api, Operation, Scope } from './api.ts';
import { errorKinds } from './errors.ts';
import type { ObjectType, Type } from './types.ts';

/** Methods by name; nested for a name with dots. */
interface Methods {
  [name: string]: string | Methods;
}

/** Returns the types, calls and kinds of errors of `@parley/client`, by file, without their layout. */
export function typescriptFiles(api: Api, notice: string): Record<string, string> {
  // The line of an export is written by hand, beside its reader.
  const types = api.types.filter(({ name }) => name !== 'ExportedInteraction');
  const functions = [
    functionOf(api, 'keyCalls', 'key', 'The calls with an API key outside of a workspace.'),
    functionOf(api, 'workspaceCalls', 'workspace', 'The calls inside one workspace.'),
    functionOf(api, 'tokenCalls', 'token', 'The calls that open a session.'),
    functionOf(api, 'sessionCalls', 'session', "The calls of one customer's session."),
  ].join('\n\n');
  const named = types.map(({ name }) => name).filter((name) => new RegExp(`\\b${name}\\b`).test(functions));
  const readers = ['readFile', 'readText'].filter((name) => functions.includes(`${name}(`));
  const imports = `import type { CallOptions, ChangeOptions, CreateOptions, Send } from '../calls/call.ts';
import { readExport } from '../export.ts';
${readers.length > 0 ? `import { ${readers.join(', ')} } from '../file.ts';\n` : ''}import { readList } from '../list.ts';
import type { ${named.join(', ')} } from './api.ts';`;
  return {
    'api.ts': [
      `// ${notice}`,
      ...types.map(
        ({ name, description, type }) => `${commentOf(description)}export type ${name} = ${textOf(type)};`,
      ),
      `/** The body of an event of the catalogue with its envelope. */
export type CatalogueEvent = ${api.events.map((name) => `${name}Event`).join(' | ')};`,
      `/** The stable \`type\` of an error. */
export type ErrorType = ${api.errors.map((type) => `'${type}'`).join(' | ')};`,
    ].join('\n\n'),
    'calls.ts': [`// ${notice}`, imports, functions].join('\n\n'),
    'errors.ts': [`// ${notice}`, errorClasses()].join('\n\n'),
  };
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
  const Kind = classes[status] ?? classes[status - (status % 100)] ?? NoAnswerError;
  throw new Kind(error, { cause });
}`;
}

function functionOf(api: Api, name: string, scope: Scope, about: string): string {
  const isBound = scope === 'workspace' || scope === 'session';
  const methods: Methods = {};
  for (const operation of api.operations.filter((one) => one.scope === scope)) {
    let place = methods;
    for (const group of operation.groups) place = (place[group] ??= {}) as Methods;
    place[operation.name] = methodOf(operation, isBound);
  }
  return `/** ${about} */
export const ${name} = (send: Send${isBound ? ', workspaceId: string' : ''}) => (${nested(methods)});`;
}

function nested(methods: Methods): string {
  const entries = Object.entries(methods).map(([name, value]) =>
    typeof value === 'string' ? value : `${name}: ${nested(value)},`,
  );
  return `{\n${entries.join('\n')}\n}`;
}

function methodOf(operation: Operation, isBound: boolean): string {
  const { method, path, name, description, params, body, takesIdempotencyKey, isRepeatable } = operation;
  const query = queryOf(operation);
  const args = [
    ...params.map((param) => `${param.name}: ${textOf(param.type)}`),
    ...(body ? [`body${body.isRequired ? '' : '?'}: ${textOf(body.type)}`] : []),
    ...(query ? [query] : []),
    `options?: ${optionsOf(operation)}`,
  ];
  const call = [
    `method: '${method}'`,
    `path: '${path}'`,
    ...(takesIdempotencyKey ? ['takesIdempotencyKey: true'] : []),
    ...(isRepeatable ? [] : ['isRepeatable: false']),
  ];
  const names = [...(isBound ? ['workspaceId'] : []), ...params.map((param) => param.name)];
  const input = [
    ...(names.length > 0 ? [`params: { ${names.join(', ')} }`] : []),
    ...(body ? ['body'] : []),
    ...(query ? ['query'] : []),
  ];
  return `${commentOf(description)}${name}: (${args.join(', ')}) =>
  ${senderOf(operation)} { ${call.join(', ')} }, { ${input.join(', ')} }, options),`;
}

function senderOf({ result }: Operation): string {
  if (result.kind === 'export') return 'readExport(send,';
  if (result.kind === 'file') return `${result.isText ? 'readText' : 'readFile'}(send,`;
  if (result.kind === 'value') return `send<${textOf(result.type)}>(`;
  return `readList<${textOf(result.item)}, ${textOf(result.meta)}>(send,`;
}

function optionsOf({ takesIdempotencyKey, takesVersion }: Operation): string {
  if (takesIdempotencyKey) return takesVersion ? 'CreateOptions & ChangeOptions' : 'CreateOptions';
  return takesVersion ? 'ChangeOptions' : 'CallOptions';
}

/** The argument for the query parameters, which are all optional; undefined when there are none. */
function queryOf({ query }: Operation): string | undefined {
  const fields = query.map(
    ({ name, description, type }) => `${commentOf(description)}${name}?: ${textOf(type)} | undefined;\n`,
  );
  return fields.length > 0 ? `query: {\n${fields.join('')}} = {}` : undefined;
}

function textOf(type: Type): string {
  switch (type.kind) {
    case 'enum':
      return type.values.map((value) => JSON.stringify(value)).join(' | ');
    case 'array':
      return `Array<${textOf(type.items)}>`;
    case 'map':
      return `Record<string, ${textOf(type.values)}>`;
    case 'ref':
      return type.name;
    case 'union':
      return [...new Set(type.of.map(textOf))].join(' | ');
    case 'object':
      return type.isOneOf ? oneOf(type) : objectOf(type);
    default:
      return type.kind === 'integer' ? 'number' : type.kind;
  }
}

function objectOf({ fields, others }: ObjectType): string {
  const lines = fields.map(
    ({ name, description, type, isRequired }) =>
      `${commentOf(description)}${name}${isRequired ? '' : '?'}: ${textOf(type)};\n`,
  );
  return `{\n${lines.join('')}${others ? `[name: string]: ${textOf(others)};\n` : ''}}`;
}

function oneOf({ fields }: ObjectType): string {
  return fields
    .map(({ name, type }) => {
      const others = fields.filter((field) => field.name !== name).map((field) => `${field.name}?: never;`);
      return `{ ${name}: ${textOf(type)}; ${others.join(' ')} }`;
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
