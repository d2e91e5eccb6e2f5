import type { Operation } from '@parley/sdk-generator/api';
import type { FlatApi } from '@parley/sdk-generator/flat';
import { pythonName } from '@parley/sdk-generator/python-types';
import { type Type, withoutNull } from '@parley/sdk-generator/types';
import type { SampleAccess, SampleRequest } from './samples.ts';

/** Returns the call with the Python client, with the names that the SDK has. */
export function pythonSample(
  api: FlatApi,
  operation: Operation,
  { params, query, body }: SampleRequest,
  { baseUrl, apiKey, apiSecret }: SampleAccess,
): string {
  const { scope, groups, name, result } = operation;
  const workspaceId = text(String(params['workspaceId'] ?? ''));
  const client = {
    key: 'parley',
    workspace: `parley.workspace(${workspaceId})`,
    token: 'parley.public',
    session: `parley.public.session(${workspaceId}, "SESSION_TOKEN")`,
  }[scope];
  const inside = '    ';
  const path = operation.params.map((param) => written(api, params[param.name], param.type, inside));
  const declared = operation.body && objectOf(api, operation.body.type);
  const args = [
    ...path,
    ...(declared ? fieldsOf(api, body, declared, inside).map(([field, value]) => `${field}=${value}`) : []),
    ...fieldsOf(api, query, [], inside).map(([field, value]) => `${field}=${value}`),
    ...(operation.body && !declared ? [written(api, body, operation.body.type, inside)] : []),
  ];
  const called = `${client}.${[...groups, name].map(pythonName).join('.')}(${spread(args, '')})`;
  const isIterated = result.kind === 'export' || (result.kind === 'list' && operation.method === 'GET');
  const hasResult = result.kind !== 'value' || result.type.kind !== 'null';
  return `from parley import Parley

parley = Parley(
    base_url=${text(baseUrl)},
    api_key=${text(apiKey)},
    api_secret=${text(apiSecret)},
)
${isIterated ? `for item in ${called}:\n    print(item)` : hasResult ? `result = ${called}` : called}`;
}

/** Returns the value as Python. Names of declared fields follow Python, keys of other objects stay. */
function written(api: FlatApi, value: unknown, given: Type, indent: string): string {
  const { type } = withoutNull(given);
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'string') return text(value);
  if (typeof value !== 'object') return JSON.stringify(value);
  const inner = `${indent}    `;
  if (Array.isArray(value)) {
    const items = type.kind === 'array' ? type.items : type;
    return `[${spread(
      value.map((one) => written(api, one, items, inner)),
      indent,
    )}]`;
  }
  const declared = objectOf(api, type);
  const fields = declared
    ? fieldsOf(api, value, declared, inner)
    : Object.entries(value).map(
        ([key, one]) => [key, written(api, one, { kind: 'unknown' }, inner)] as const,
      );
  return `{${spread(
    fields.map(([key, one]) => `${text(key)}: ${one}`),
    indent,
  )}}`;
}

type Fields = { name: string; type: Type }[];

function fieldsOf(
  api: FlatApi,
  value: unknown,
  fields: Fields,
  indent: string,
): (readonly [string, string])[] {
  return Object.entries(value ?? {}).map(([key, one]) => {
    const type = fields.find(({ name }) => name === key)?.type ?? { kind: 'unknown' };
    return [pythonName(key), written(api, one, type, indent)] as const;
  });
}

function objectOf(api: FlatApi, type: Type): Fields | undefined {
  const declared = type.kind === 'ref' ? api.declared.get(type.name)?.type : undefined;
  return declared?.kind === 'object' ? declared.fields : undefined;
}

function spread(parts: string[], indent: string): string {
  const line = parts.join(', ');
  if (line.length < 70 && !line.includes('\n')) return line;
  return `\n${parts.map((part) => `${indent}    ${part},\n`).join('')}${indent}`;
}

function text(value: string): string {
  return JSON.stringify(value);
}
