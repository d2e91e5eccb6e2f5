import { type Group, groupsOf, type Operation, type Scope, scopes } from './api.ts';
import type { FlatApi } from './flat.ts';
import {
  decoderOf,
  docstring,
  typedFieldsOf,
  wrappedLines,
  publicTypes,
  pythonName,
  typeText,
} from './python-types.ts';
import { type Field, withoutNull } from './types.ts';
import { pascalCase } from './words.ts';

interface Argument {
  name: string;
  /** With its type and default. */
  declared: string;
  description: string;
}

const roots = {
  key: 'AsyncParleyCalls',
  workspace: 'AsyncWorkspaceClient',
  token: 'AsyncPublicCalls',
  session: 'AsyncSessionClient',
};

/** Returns the module with the calls of the asynchronous client. */
export function pythonCalls(api: FlatApi, notice: string): string {
  const text = scopes
    .flatMap(([scope, about]) => groupsOf(api, scope).map((group) => classOf(api, group, scope, about)))
    .join('\n\n\n');
  const used = new Set(text.match(/\b[A-Z]\w+/g));
  return `# ${notice}
"""The calls of the API."""

from __future__ import annotations

from typing import Any, Dict, List, Literal, Mapping, Optional, Sequence, Union

from parley._async_io import AsyncExport, AsyncPager, AsyncSender
from parley._core import NO_OPTIONS, CallInput, Operation, body_of
from parley._model import NOT_GIVEN, NotGiven, either, many, model, nothing, optional
from parley.gen.options import CallOptions
from parley.gen.types import (
${publicTypes(api)
  .filter((name) => used.has(name))
  .map((name) => `    ${name},`)
  .join('\n')}
)


${text}
`;
}

function classOf(api: FlatApi, { path, inner, operations }: Group, scope: Scope, about: string): string {
  const nameOf = (group: string): string =>
    group === '' ? roots[scope] : `Async${group.split('.').map(pascalCase).join('')}Calls`;
  const isBound = scope === 'workspace' || scope === 'session';
  const own = isBound ? 'send, workspace_id' : 'send';
  return [
    `class ${nameOf(path)}:`,
    ...docstring(path ? `The calls of \`${path.split('.').map(pythonName).join('.')}\`.` : about, '    '),
    '',
    `    def __init__(self, send: AsyncSender${isBound ? ', workspace_id: str' : ''}) -> None:`,
    '        self._send = send',
    ...(isBound ? ['        self._workspace_id = workspace_id'] : []),
    ...inner.map((one) => `        self.${pythonName(one.split('.').at(-1) ?? '')} = ${nameOf(one)}(${own})`),
    ...operations.flatMap((operation) => ['', ...methodOf(api, operation, isBound)]),
  ].join('\n');
}

function methodOf(api: FlatApi, operation: Operation, isBound: boolean): string[] {
  const { description, params, query, body } = operation;
  const bodyName = body && typedFieldsOf(api, body.type);
  const declared = body?.type.kind === 'ref' ? api.declared.get(body.type.name)?.type : undefined;
  const fields = declared?.kind === 'object' ? declared.fields : [];
  const argument = ({ name, type, description, isRequired }: Field): Argument => ({
    name: pythonName(name),
    declared: `${pythonName(name)}: ${
      isRequired ? typeText(api, type, true) : `Union[${typeText(api, type, true)}, NotGiven] = NOT_GIVEN`
    }`,
    description,
  });
  const positional = [
    ...params.map(argument),
    ...(body && !bodyName
      ? [{ name: 'body', declared: `body: ${typeText(api, body.type, true)}`, description: '' }]
      : []),
  ];
  const keyed = [
    ...fields.filter(({ isRequired }) => isRequired).map(argument),
    ...fields.filter(({ isRequired }) => !isRequired).map(argument),
    // A query cannot have null.
    ...query.map(({ name, type, description }) => ({
      name: pythonName(name),
      declared: `${pythonName(name)}: Optional[${typeText(api, type, true)}] = None`,
      description,
    })),
    { name: 'options', declared: 'options: CallOptions = NO_OPTIONS', description: '' },
  ];
  const all = [...positional, ...keyed];
  const twice = all.find((one, index) => all.findIndex(({ name }) => name === one.name) !== index);
  if (twice) throw new Error(`${operation.id} has two arguments ${twice.name}`);
  const described = all.flatMap(({ name, description }) => {
    const [first = '', ...others] = wrappedLines(`${name}: ${description}`, 94);
    return description ? [`    ${first}`, ...others.map((line) => `        ${line}`)] : [];
  });
  const doc = [
    ...wrappedLines(description, 102),
    '',
    ...(described.length > 0 ? ['Args:'] : []),
    ...described,
  ];
  const { type, isAwaited, readers, sends = 'value' } = resultOf(api, operation);
  return [
    `    ${isAwaited ? 'async ' : ''}def ${pythonName(operation.name)}(`,
    '        self,',
    ...positional.map((one) => `        ${one.declared},`),
    '        *,',
    ...keyed.map((one) => `        ${one.declared},`),
    `    ) -> ${type}:`,
    ...docstring(doc, '        '),
    ...(isAwaited
      ? [`        return await self._send.${sends}(`]
      : [`        return ${type.replace(/\[.*/, '')}(`, '            self._send,']),
    ...[callOf(operation), ...readers].map((line) => `            ${line},`),
    ...inputOf(operation, bodyName, fields, isBound).map((line) => `            ${line}`),
    '            options,',
    '        )',
  ];
}

function callOf({ method, path, headers, isRepeatable }: Operation): string {
  const parts = [
    `"${method}"`,
    `"${path}"`,
    `headers=(${headers.map(({ option }) => `"${pythonName(option)}",`).join(' ')})`,
    ...(isRepeatable ? [] : ['is_repeatable=False']),
  ];
  return `Operation(${parts.join(', ')})`;
}

function inputOf(
  { params, query, body }: Operation,
  bodyName: string | undefined,
  fields: Field[],
  isBound: boolean,
): string[] {
  const dictionary = (name: string, entries: string[], end: string): string[] =>
    entries.length > 0 ? [`    ${name}{`, ...entries.map((entry) => `        ${entry},`), `    }${end}`] : [];
  const entry = ({ name }: Field): string => `"${name}": ${pythonName(name)}`;
  const inPath = [...(isBound ? ['"workspaceId": self._workspace_id'] : []), ...params.map(entry)];
  const inBody = fields.map(({ name }) => `"${pythonName(name)}": ${pythonName(name)}`);
  const isOptional = body && !body.isRequired ? ', is_required=False' : '';
  const lines = [
    ...dictionary('params=', inPath, ','),
    ...dictionary('query=', query.map(entry), ','),
    ...(bodyName ? dictionary(`body=body_of("${bodyName}", `, inBody, `${isOptional}),`) : []),
    ...(body && !bodyName ? ['    body=dict(body),'] : []),
  ];
  return lines.length > 0 ? ['CallInput(', ...lines, '),'] : ['CallInput(),'];
}

interface Result {
  type: string;
  /** Whether the method waits for it. */
  isAwaited: boolean;
  /** How the data are read. */
  readers: string[];
  /** The method of the sender that the call uses. Default: `value`. */
  sends?: string;
}

function resultOf(api: FlatApi, { result, method }: Operation): Result {
  if (result.kind === 'export') return { type: 'AsyncExport', isAwaited: false, readers: [] };
  if (result.kind === 'file') {
    const [type, sends] = result.isText ? ['str', 'text'] : ['bytes', 'file'];
    return { type, isAwaited: true, readers: [], sends };
  }
  const given = result.kind === 'list' ? result.item : result.type;
  const { type, isNullable } = withoutNull(given);
  const reader = decoderOf(api, type) ?? 'nothing';
  const text = typeText(api, given, false);
  if (result.kind === 'value') {
    const readers = [isNullable && reader !== 'nothing' ? `optional(${reader})` : reader];
    return { type: text, isAwaited: true, readers };
  }
  // A call that changes something must not wait for its iteration.
  if (method !== 'GET') return { type: `List[${text}]`, isAwaited: true, readers: [`many(${reader})`] };
  const readers = [reader, decoderOf(api, result.meta) ?? 'nothing'];
  return { type: `AsyncPager[${text}, ${typeText(api, result.meta, false)}]`, isAwaited: false, readers };
}
