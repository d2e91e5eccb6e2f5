import { type Group, groupsOf, type HeaderOption, type Operation, scopes } from './api.ts';
import { errorKinds } from './errors.ts';
import type { FlatApi, FlatDeclaration } from './flat.ts';
import { type Field, isSecret, type ObjectType, type Type, withoutNull } from './types.ts';
import { pascalCase, wrapped } from './words.ts';

const initialisms = 'API CSV DNS ETag HTTP ID IDs JSON NPS SDK TLS URL'.split(' ');

// Written by hand in the package.
const reserved = new Set(
  'Answer APIError Client Export Fault Field List None OneOf Option Page Pages'.split(' '),
);

const roots = {
  key: 'KeyCalls',
  workspace: 'WorkspaceClient',
  token: 'PublicCalls',
  session: 'SessionClient',
};

/** Returns the generated files of the Go module, as gofmt writes them: no two lines that it would align follow. */
export function goFiles(api: FlatApi, notice: string): Record<string, string> {
  const head = `// ${notice.replace('Generated', 'Code generated')} DO NOT EDIT.\n\npackage parley\n\n`;
  const types = [
    enumOf('ErrorType', 'The stable type of an error', api.errors),
    ...api.types.map((one) => declarationOf(api, one)),
    eventsOf(api),
  ].join('\n');
  const calls = [
    ...scopes.flatMap(([scope, about]) =>
      groupsOf(api, scope).map((one) => groupOf(one, roots[scope], about)),
    ),
    ...api.headers.map(optionOf),
  ].join('\n');
  return {
    'types_gen.go': `${head}import (\n\t"encoding/json"\n${types.includes('fmt.') ? '\t"fmt"\n' : ''})\n\n${types}`,
    'errors_gen.go': `${head}${errorsOf()}`,
    'calls_gen.go': `${head}import (\n\t"context"\n${calls.includes('strconv.') ? '\t"strconv"\n' : ''})\n\n${calls}`,
  };
}

/** Returns `customerId` as `CustomerID`, and `customers:read` as `CustomersRead`. */
export function goName(name: string): string {
  const parts = name
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean)
    .map(pascalCase);
  return parts.join('').replaceAll(/[A-Z][a-z]+/g, (word) => {
    return initialisms.find((one) => one.toLowerCase() === word.toLowerCase()) ?? word;
  });
}

/** Returns `customerId` as `customerID`, and `id` as `id`. */
function argumentName(name: string): string {
  return goName(name).replace(/^(?:[A-Z]+(?![a-z])|[A-Z])/, (first) => first.toLowerCase());
}

function comment(name: string, text: string, indent = ''): string {
  const lines = wrapped(`${name}${text}`.replace(/[^.!?)]$/, '$&.'), 116 - indent.length);
  return lines.map((line) => `${indent}//${line && ` ${line}`}\n`).join('');
}

function declarationOf(
  api: FlatApi,
  { name, description, type, isSent, isReceived }: FlatDeclaration,
): string {
  const goType = goName(name);
  if (reserved.has(goType)) throw new Error(`${goType} is a type of the runtime`);
  if (type.kind === 'enum') return enumOf(name, description, type.values.map(String));
  const about = comment(goType, description ? `: ${description}` : ' is a type of the API');
  if (type.kind !== 'object') return `${about}type ${goType} = ${textOf(type)}\n`;
  const fields = type.fields.map((field) => fieldOf(api, field, isReceived));
  const format = formatOf(goType, type);
  if (!isReceived) return `${about}type ${goType} struct {\n${fields.join('\n')}}\n${format}`;
  if (isSent && type.fields.some((one) => !one.isRequired)) throw new Error(`${name} is sent and received`);
  const extra = '\t// Extra has the fields that this version of the package does not know.\n';
  return `${about}type ${goType} struct {
${[...fields, `${extra}\tExtra map[string]json.RawMessage \`json:"-"\`\n`].join('\n')}}

// UnmarshalJSON reads the object, also if it has other fields.
func (o *${goType}) UnmarshalJSON(data []byte) error {
	type plain ${goType}
	return decode(data, (*plain)(o), &o.Extra)
}

// MarshalJSON writes the object as the API wrote it.
func (o ${goType}) MarshalJSON() ([]byte, error) {
	type plain ${goType}
	return encode(plain(o), o.Extra)
}
${format}${type.fields.some((one) => one.name === 'id' && one.type.kind === 'string') ? `\nfunc (o ${goType}) id() string { return o.ID }\n` : ''}`;
}

/** Returns a method for types whose secrets `fmt` would print. It prints only the address of an optional one. */
function formatOf(goType: string, { fields }: ObjectType): string {
  const secrets = fields.filter((one) => one.isRequired && isSecret(one));
  if (secrets.length === 0) return '';
  return `
// Format writes the object without its secrets.
func (o ${goType}) Format(f fmt.State, _ rune) {
	type plain ${goType}
${secrets.map(({ name }) => `\to.${goName(name)} = hidden\n`).join('')}	fmt.Fprintf(f, "%+v", plain(o))
}
`;
}

function fieldOf(api: FlatApi, { name, description, type, isRequired }: Field, isReceived: boolean): string {
  const { type: inner, isNullable } = withoutNull(type);
  const text = textOf(inner);
  const kind = inner.kind === 'ref' ? api.declared.get(inner.name)?.type.kind : undefined;
  // A request may leave out a field or have null. An answer without a field has nil, as for null.
  const isField = !isReceived && isNullable;
  const pointer = isPointer({ type, isRequired }, { isReceived, kind }) ? '*' : '';
  const goType = isField ? `*Field[${text}]` : `${pointer}${text}`;
  const about = description && comment(`${goName(name)}: `, description, '\t');
  return `${about}\t${goName(name)} ${goType} \`json:"${name}${isRequired ? '' : ',omitempty'}"\`\n`;
}

/**
 * Returns whether a field is a pointer. A list, a map and an optional enum of a request need none. `kind` is
 * the kind of the declared type, if the field has one.
 */
export function isPointer(
  { type, isRequired }: Pick<Field, 'type' | 'isRequired'>,
  { isReceived, kind }: { isReceived: boolean; kind: Type['kind'] | undefined },
): boolean {
  const { type: inner, isNullable } = withoutNull(type);
  const isOpen = kind === 'map' || /^(?:\[\]|map\[|any$)/.test(textOf(inner));
  return !isOpen && (isNullable || (!isRequired && (isReceived || kind !== 'enum')));
}

const named: Record<string, string> = {
  string: 'string',
  integer: 'int',
  number: 'float64',
  boolean: 'bool',
};

/** Returns a type of the package. */
export function textOf(given: Type): string {
  const { type, isNullable } = withoutNull(given);
  const pointer = isNullable ? '*' : '';
  switch (type.kind) {
    case 'array':
      return `[]${textOf(type.items)}`;
    case 'map':
      return `map[string]${textOf(type.values)}`;
    case 'ref':
      return pointer + goName(type.name);
    case 'union':
      return type.of.every(({ kind }) => kind === 'ref') ? `${pointer}OneOf` : 'any';
    case 'enum':
      return (
        pointer +
        ({ string: 'string', boolean: 'bool', number: 'int' }[typeof type.values[0] as string] ?? 'any')
      );
    default:
      return type.kind in named ? `${pointer}${named[type.kind]}` : 'any';
  }
}

function enumOf(name: string, description: string, values: string[]): string {
  const goType = goName(name);
  const names = values.map((value) => goType + goName(value));
  const width = Math.max(...names.map((one) => one.length));
  const about = description ? `: ${description}` : ' is an enum of the API';
  return `${comment(goType, `${about}. The API may have more values`)}type ${goType} string

// The values of ${goType}.
const (
${names.map((one, index) => `\t${one.padEnd(width)} ${goType} = ${JSON.stringify(values[index])}\n`).join('')})
`;
}

function eventsOf({ events }: FlatApi): string {
  const cases = events.map((name) => `\tcase "${name}":\n\t\treturn &${goName(name)}Event{}\n`);
  return `// newEvent returns the body of an event of the catalogue.
func newEvent(name string) any {
	switch name {
${cases.join('')}	}
	return nil
}
`;
}

/** Returns a type for each kind of error. All have the methods of `APIError`. */
function errorsOf(): string {
  const types = errorKinds.map(
    ({ name, description }) =>
      `${comment(`${name}Error`, `: ${description}`)}type ${name}Error struct{ kind }\n`,
  );
  const cases = errorKinds.flatMap(({ name, statuses }) =>
    statuses.length === 0 ? [] : [`\tcase ${statuses.join(', ')}:\n\t\treturn &${name}Error{k}\n`],
  );
  return `${types.join('\n')}
// kindOf returns the error with the type of its status, or of the hundred of its status.
func kindOf(e *APIError, status int) error {
	switch k := (kind{e}); status {
${cases.join('')}	case status - status%100:
		return &UnexpectedAnswerError{k}
	}
	return kindOf(e, status-status%100)
}
`;
}

/** Returns the type of a group with its methods. */
function groupOf({ path, inner, operations }: Group, root: string, about: string): string {
  const typeName = (group: string): string =>
    group === '' ? root : `${group.split('.').map(goName).join('')}Calls`;
  const name = typeName(path);
  const fields = inner.map((one) => {
    const field = goName(one.split('.').at(-1) ?? '');
    return `\t// ${field} has the calls of ${one}.\n\t${field} ${typeName(one)}\n\n`;
  });
  const made = [...inner.map((one) => `new${typeName(one)}(s)`), 's'].join(', ');
  return `${comment(name, path === '' ? `: ${about}` : ` has the calls of ${path}`)}type ${name} struct {
${fields.join('')}	s *sender
}

func new${name}(s *sender) ${name} {
	return ${name}{${made}}
}
${operations.map((operation) => `\n${methodOf(name, operation)}`).join('')}`;
}

function optionOf({ name, option, description }: HeaderOption): string {
  const function_ = `With${goName(option)}`;
  return `${comment(function_, ` sets ${name}. ${description}`)}func ${function_}(value string) Option { return withField("${name}", value) }
`;
}

/** Returns the arguments of a method between context and options, in their order. */
export function argumentsOf(
  { body, query }: Operation,
  text: { params: string[]; body: string; query: string },
): string[] {
  return [...text.params, ...(body ? [text.body] : []), ...(query.length > 0 ? [text.query] : [])];
}

/** Returns the name of the type of the query. `groups`: the names of its groups in Go. */
export function queryTypeOf({ name }: Operation, groups: string): string {
  return `${groups}${goName(name)}Query`;
}

function methodOf(group: string, operation: Operation): string {
  const { method, path, params, query, body, result, description, scope } = operation;
  const name = goName(operation.name);
  const queryType = queryTypeOf(operation, group.replace(/Calls$/, ''));
  const args = argumentsOf(operation, {
    params: params.map((one) => `${argumentName(one.name)} ${textOf(one.type)}`),
    body: body ? `body ${body.isRequired ? '' : '*'}${textOf(body.type)}` : '',
    query: `query *${queryType}`,
  });
  const inPath = [
    ...(scope === 'workspace' || scope === 'session' ? ['c.s.workspaceID'] : []),
    ...params.map((one) => {
      const text = argumentName(one.name);
      return one.type.kind === 'integer' ? `strconv.Itoa(${text})` : text;
    }),
  ];
  const parts = [
    `method: "${method}"`,
    `path: "${path}"`,
    ...(inPath.length > 0 ? [`params: []string{${inPath.join(', ')}}`] : []),
    ...(query.length > 0 ? ['query: query'] : []),
    ...(body ? ['body: body'] : []),
    `headers: []string{${operation.headers.map(({ name: header }) => `"${header}"`).join(', ')}}`,
    ...(operation.isRepeatable ? [] : ['once: true']),
  ];
  const [type, called, more = ''] = resultOf(result, method);
  const fields = query.map((field) => {
    const about = field.description && comment(`${goName(field.name)}: `, field.description, '\t');
    const pointer = field.type.kind === 'boolean' ? '*' : '';
    return `${about}\t${goName(field.name)} ${pointer}${textOf(field.type)} \`json:"${field.name}"\`\n`;
  });
  const queryText = `// ${queryType} is the query of [${group}.${name}]. Fields that are zero are left out.
type ${queryType} struct {
${fields.join('\n')}}

`;
  return `${query.length > 0 ? queryText : ''}${comment(`${name}: `, description)}func (c ${group}) ${name}(${['ctx context.Context', ...args, 'options ...Option'].join(', ')}) ${type} {
	return ${called}(ctx, ${more}call{${parts.join(', ')}}, options)
}
`;
}

/** Returns the type of the result, and the function that makes the call. */
function resultOf(result: Operation['result'], method: string): [string, string, string?] {
  if (result.kind === 'export') return ['*Export', 'newExport', 'c.s, '];
  if (result.kind === 'file')
    return result.isText ? ['(string, error)', 'c.s.text'] : ['([]byte, error)', 'c.s.file'];
  const type = textOf(withoutNull(result.kind === 'list' ? result.item : result.type).type);
  if (result.kind === 'value')
    return type === 'any' ? ['error', 'c.s.none'] : [`(*${type}, error)`, `value[${type}]`, 'c.s, '];
  // A call that changes something must not wait for its iteration.
  if (method !== 'GET') return [`([]${type}, error)`, `many[${type}]`, 'c.s, '];
  const meta = result.meta.kind === 'null' ? 'None' : textOf(result.meta);
  return [`*List[${type}, ${meta}]`, `newList[${type}, ${meta}]`, 'c.s, '];
}
