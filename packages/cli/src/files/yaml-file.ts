import { type JsonFault, readJson, spanOf } from '@parley/runtime/json/json';
import { pointerTo } from '@parley/runtime/json/json-pointer';
import { extname } from 'node:path';
import { type Document, isAlias, isMap, isScalar, isSeq, type Node, parseDocument } from 'yaml';
import { Failure, type FaultInFile } from '../failure.ts';
import { placeIn } from '../place.ts';
import type { Shell } from '../shell.ts';
import { type JsonFile, readJsonFile } from './json-file.ts';
import { readText } from './text-file.ts';

type Spans = Parameters<typeof spanOf>[1];

/**
 * Reads a file of JSON, or of YAML if it is named `.yaml` or `.yml`: one document of YAML 1.2 with values of JSON.
 * `text` is JSON in both cases. Throws as `readJsonFile`, with every place that is not YAML.
 */
export async function readDataFile(file: string, shell: Shell): Promise<JsonFile> {
  if (!isYaml(file)) return readJsonFile(file, shell);
  const text = await readText(file, shell);
  const inFile = ({ pointer, detail, offset, length }: JsonFault): FaultInFile => {
    return { pointer, detail, place: placeIn(file, text, offset, length) };
  };
  const { faults, value, spans } = parseYaml(text);
  if (faults.length > 0)
    throw new Failure(`${file} is not YAML`, { type: 'invalid-yaml', faults: faults.map(inFile) });
  if (value === undefined || value === null) throw new Failure(`${file} is empty`, { type: 'invalid-yaml' });
  const place: JsonFile['place'] = (fault) => {
    // A fault of a name begins with the name as JSON, which YAML writes without quotes.
    const name = spans.names.get(fault.pointer);
    const isOfName = name && fault.detail.startsWith(`"${fault.pointer.replace(/^.*\//, '')}"`);
    return inFile({ ...fault, ...(isOfName ? name : spanOf(text, spans, fault)) });
  };
  return { file, text: JSON.stringify(value, null, 2), value, repeated: [], place };
}

function isYaml(file: string): boolean {
  return ['.yaml', '.yml'].includes(extname(file).toLowerCase());
}

function parseYaml(text: string): { faults: JsonFault[]; value: unknown; spans: Spans } {
  const spans: Spans = { values: new Map(), names: new Map() };
  try {
    const document = parseDocument(text, { prettyErrors: false, resolveKnownTags: false });
    const faults = [...document.errors, ...document.warnings].map(({ message, pos: [from, to] }) => {
      return faultAt(message, from, to - from);
    });
    if (faults.length > 0) return { faults, value: undefined, spans };
    const infinite = locate(document, spans);
    const value: unknown = document.toJS();
    // The limits of depth and size.
    if (value !== null && infinite.length === 0) readJson(JSON.stringify(value), { repeatedMax: 1 });
    return { faults: infinite, value, spans };
  } catch (error) {
    // An alias to itself, too many aliases, or a limit.
    const detail = error instanceof Error ? error.message : String(error);
    return { faults: [faultAt(detail, 0, 1)], value: undefined, spans };
  }
}

function faultAt(detail: string, offset: number, length: number): JsonFault {
  return { pointer: '', detail, offset, length: Math.max(1, length) };
}

/** Fills in the places of all values and names. Returns the numbers that JSON does not have. */
function locate({ contents }: Document, { values, names }: Spans): JsonFault[] {
  const infinite: JsonFault[] = [];
  const open: [path: string[], node: unknown][] = [[[], contents]];
  for (let next = open.pop(); next; next = open.pop()) {
    const [path, node] = next;
    const pointer = pointerTo(path);
    const span = spanOfNode(node as Node | null);
    if (span) values.set(pointer, isMap(node) || isSeq(node) ? { ...span, length: 1 } : span);
    if (isMap(node)) {
      for (const { key, value } of node.items) {
        const at = [...path, String(isScalar(key) ? key.value : key)];
        const name = spanOfNode(key as Node | null);
        if (name) names.set(pointerTo(at), name);
        open.push([at, value]);
      }
    } else if (isSeq(node)) {
      for (const [index, item] of node.items.entries()) open.push([[...path, String(index)], item]);
    } else if (isScalar(node) && typeof node.value === 'number' && !Number.isFinite(node.value) && span) {
      infinite.push({ pointer, detail: 'Must be a finite number', ...span });
    }
  }
  return infinite;
}

function spanOfNode(node: Node | null): { offset: number; length: number } | undefined {
  if (!node?.range || !(isMap(node) || isSeq(node) || isScalar(node) || isAlias(node))) return undefined;
  const [from, to] = node.range;
  return { offset: from, length: Math.max(1, to - from) };
}
