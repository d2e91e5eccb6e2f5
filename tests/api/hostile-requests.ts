import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import {
  create,
  createFileRegistry,
  type DescField,
  type DescMessage,
  fromBinary,
  ScalarType,
  toBinary,
} from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';

/** One method of a service, as `proto/` defines it. */
export interface Rpc {
  packageName: string;
  service: string;
  name: string;
  path: string;
  request: DescMessage;
}

/** A request, its hostile part, and whether a service may accept it: not if it is malformed, or a text has NUL. */
export interface HostileRequest {
  what: string;
  bytes: Buffer;
  isText: boolean;
}

/** Valid values of fields, by name. */
type Known = Record<string, (rpc: Rpc) => unknown>;

const root = resolve(import.meta.dirname, '../..');

/** Every RPC below `proto/`. RPCs that end something come last. */
export async function rpcsOf(): Promise<Rpc[]> {
  const buf = resolve(root, 'node_modules/.bin/buf');
  const options = { cwd: resolve(root, 'proto'), encoding: 'buffer', maxBuffer: 16 * 1024 * 1024 } as const;
  const { stdout } = await promisify(execFile)(buf, ['build', '-o', '-'], options);
  const registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, stdout));
  const rpcs: Rpc[] = [];
  for (const service of registry) {
    if (service.kind !== 'service' || !service.typeName.startsWith('parley.')) continue;
    for (const { name, input } of service.methods) {
      const path = `/${service.typeName}/${name}`;
      const packageName = service.file.proto.package;
      rpcs.push({ packageName, service: service.name, name, path, request: input });
    }
  }
  const ends = ({ name }: Rpc) => Number(/^(Delete|Revoke|Rotate|Anonymise|Redact)/.test(name));
  return rpcs.toSorted((left, right) => ends(left) - ends(right));
}

/** Requests with one hostile field, a valid one, an empty one, and one that is no message. */
export function* hostileRequests(rpc: Rpc, known: Known): Generator<HostileRequest> {
  const bytesOf = (init: Record<string, unknown>): Buffer =>
    Buffer.from(toBinary(rpc.request, create(rpc.request, init)));
  yield { what: 'good', bytes: bytesOf(goodMessage(rpc, rpc.request, known)), isText: true };
  yield { what: 'empty', bytes: Buffer.alloc(0), isText: true };
  if (rpc.request.fields.length > 0) {
    yield { what: 'malformed', bytes: Buffer.from([0x0a, 0xff, 0xff]), isText: false };
  }
  for (const { what, init, hasNul } of variantsOf(rpc, rpc.request, known)) {
    yield { what, bytes: bytesOf(init), isText: !hasNul };
  }
}

interface Variant {
  what: string;
  init: Record<string, unknown>;
  hasNul: boolean;
}

function* variantsOf(rpc: Rpc, message: DescMessage, known: Known): Generator<Variant> {
  for (const field of message.fields) {
    const { name, localName, oneof } = field;
    for (const [what, value, hasNul] of hostileValues(rpc, field, known)) {
      const init = goodMessage(rpc, message, known);
      if (oneof) Object.assign(init, { [oneof.localName]: { case: localName, value } });
      else Object.assign(init, { [localName]: value });
      yield { what: `${name}${what}`, init, hasNul };
    }
  }
}

/** Sets one of the fields of a `oneof`: the first. */
function goodMessage(rpc: Rpc, message: DescMessage, known: Known): Record<string, unknown> {
  const init: Record<string, unknown> = {};
  for (const field of message.fields) {
    const { localName, oneof } = field;
    if (!oneof) init[localName] = goodValue(rpc, field, known);
    else init[oneof.localName] ??= { case: localName, value: goodValue(rpc, field, known) };
  }
  return init;
}

function goodValue(rpc: Rpc, field: DescField, known: Known): unknown {
  if (field.fieldKind === 'map') return { 'x-key': 'v' };
  const one = goodOne(rpc, field, known);
  return field.fieldKind === 'list' ? [one] : one;
}

function goodOne(rpc: Rpc, field: DescField, known: Known): unknown {
  const one = known[field.localName]?.(rpc);
  if (one !== undefined) return one;
  if (field.message) return goodMessage(rpc, field.message, known);
  if (field.enum) return 1;
  switch (field.scalar) {
    case ScalarType.STRING:
      return 'x';
    case ScalarType.BYTES:
      return Buffer.alloc(32, 1);
    case ScalarType.BOOL:
      return true;
    case ScalarType.INT64:
      return 1n;
    default:
      return 1;
  }
}

/** The description of the value, the value, and whether it has NUL in a text. */
type Hostile = [what: string, value: unknown, hasNul: boolean];

function* hostileValues(rpc: Rpc, field: DescField, known: Known): Generator<Hostile> {
  if (field.fieldKind === 'map') {
    yield [' with NUL', { 'x-key': '\0' }, true];
    yield [' with odd names', { '': '', id: 'x', 'a b': 'é', [long]: long }, false];
    return;
  }
  const isList = field.fieldKind === 'list';
  for (const [what, value, hasNul] of hostileOnes(rpc, field, known)) {
    yield [what, isList ? [value] : value, hasNul];
  }
  if (!isList) return;
  yield [' of none', [], false];
  yield [' of many', Array.from({ length: 300 }, () => goodOne(rpc, field, known)), false];
}

const long = 'x'.repeat(100_000);
const texts = ['', 'x', '.', '..', "';--", '\n', '\u202e😀', 'é'.repeat(300), long];
const integers = [-1, 0, 2 ** 31 - 1, -(2 ** 31)];
const longs = [0n, -1n, -62_135_596_801n, 253_402_300_800n, 2n ** 63n - 1n, -(2n ** 63n)];
const doubles = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -1, 0, 1e308, 5e-324];

function* hostileOnes(rpc: Rpc, field: DescField, known: Known): Generator<Hostile> {
  const { message, scalar } = field;
  if (message) {
    if (field.fieldKind === 'message') yield [' missing', undefined, false];
    for (const { what, init, hasNul } of variantsOf(rpc, message, known)) yield [`.${what}`, init, hasNul];
    return;
  }
  if (scalar === ScalarType.STRING) {
    for (const value of texts)
      yield [` ${JSON.stringify(value.slice(0, 9))} (${value.length})`, value, false];
    for (const value of ['\0', 'a\0b']) yield [' with NUL', value, true];
  } else if (scalar === ScalarType.BYTES) {
    for (const length of [0, 1, 100_000]) yield [` of ${length} bytes`, Buffer.alloc(length), false];
  } else if (scalar === ScalarType.BOOL) yield [' false', false, false];
  else if (scalar === ScalarType.DOUBLE) for (const value of doubles) yield [` ${value}`, value, false];
  else if (scalar === ScalarType.INT64) for (const value of longs) yield [` ${value}`, value, false];
  else for (const value of field.enum ? [0, 99, -1] : integers) yield [` ${value}`, value, false];
}
