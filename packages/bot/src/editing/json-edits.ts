import { type JsonNode, readTree } from './json-tree.ts';

/** Where a value is in a JSON text: names of members and indexes of elements. */
export type Path = readonly (string | number)[];

interface Options {
  /** The usual order of the members of the object. A new member comes before those that follow it there. */
  order?: readonly string[];
}

/**
 * Returns the text with another value at a path. A member that is missing is added, with the objects around it, and an
 * element behind the last one. All other text stays, and what is new is laid out as what is beside it. A text that is
 * not JSON stays as it is.
 */
export function setValue(text: string, path: Path, value: unknown, options: Options = {}): string {
  const root = readTree(text);
  if (!root) return text;
  const found = nodeAt(root, path);
  if (found) return replace(text, found, layOut(text, root, value, lineIndent(text, found.offset), found));
  const [parentPath, name] = [path.slice(0, -1), path.at(-1)];
  const parent = nodeAt(root, parentPath);
  if (parent?.type === 'object' && typeof name === 'string')
    return addMember(text, root, parent, name, value, options);
  if (parent?.type === 'array' && typeof name === 'number')
    return insertElement(text, parentPath, parent.children.length, value);
  if (name === undefined) return text;
  return setValue(text, parentPath, typeof name === 'number' ? [value] : { [name]: value });
}

/** Returns the text without a member or an element, and without its comma. */
export function removeValue(text: string, path: Path): string {
  const root = readTree(text);
  const parent = root && nodeAt(root, path.slice(0, -1));
  const node = root && nodeAt(root, path);
  if (!parent || !node) return text;
  const item = parent.type === 'object' ? node.parent : node;
  const at = parent.children.findIndex((one) => one === item);
  const [before, own, after] = [parent.children[at - 1], parent.children[at], parent.children[at + 1]];
  if (!own) return text;
  if (before) return splice(text, endOf(before), endOf(own), '');
  if (after) return splice(text, own.offset, after.offset, '');
  return splice(text, parent.offset + 1, endOf(parent) - 1, '');
}

/** Returns the text with another name of a member. */
export function renameMember(text: string, path: Path, name: string): string {
  const root = readTree(text);
  const member = root && nodeAt(root, path)?.parent;
  const key = member?.type === 'member' ? member.children[0] : undefined;
  return key ? replace(text, key, JSON.stringify(name)) : text;
}

/** Returns the text with a value before the element of that index. */
export function insertElement(text: string, path: Path, index: number, value: unknown): string {
  const place = placeOf(text, path);
  if (!place) return text;
  const { root, array } = place;
  return insertText(text, root, array, index, layOut(text, root, value, elementIndent(text, root, array)));
}

/** Returns the text with a copy of an element behind it, changed by `change`, which gets and returns its text. */
export function copyElement(
  text: string,
  path: Path,
  index: number,
  change: (source: string) => string,
): string {
  const place = placeOf(text, path);
  const node = place?.array.children[index];
  if (!place || !node) return text;
  return insertText(text, place.root, place.array, index + 1, change(text.slice(node.offset, endOf(node))));
}

/** Returns the text with an element at another index. The elements between move by one place. */
export function moveElement(text: string, path: Path, from: number, to: number): string {
  const elements = placeOf(text, path)?.array.children ?? [];
  if (!elements[from] || !elements[to] || from === to) return text;
  const sources = elements.map((node) => text.slice(node.offset, endOf(node)));
  sources.splice(to, 0, ...sources.splice(from, 1));
  // From the end, so that the places before stay.
  return elements.reduceRight((changed, node, at) => replace(changed, node, sources[at] ?? ''), text);
}

/** Returns where each element of an array is, in UTF-16 units; none if there is no array. */
export function elementSpans(text: string, path: Path): { from: number; to: number }[] {
  const elements = placeOf(text, path)?.array.children ?? [];
  return elements.map((node) => ({ from: node.offset, to: endOf(node) }));
}

function placeOf(text: string, path: Path): { root: JsonNode; array: JsonNode } | undefined {
  const root = readTree(text);
  const array = root && nodeAt(root, path);
  return root && array?.type === 'array' ? { root, array } : undefined;
}

/** Of a repeated name, the last one counts, as in `JSON.parse`. */
function nodeAt(root: JsonNode, path: Path): JsonNode | undefined {
  return path.reduce<JsonNode | undefined>((node, step) => {
    if (typeof step === 'number') return node?.type === 'array' ? node.children[step] : undefined;
    if (node?.type !== 'object') return undefined;
    return node.children.findLast(({ name }) => name === step)?.children[1];
  }, root);
}

function addMember(
  text: string,
  root: JsonNode,
  parent: JsonNode,
  name: string,
  value: unknown,
  { order = [] }: Options,
): string {
  const members = parent.children;
  const rank = order.indexOf(name);
  const next = members.findIndex((member) => order.indexOf(member.name ?? '') > rank);
  const index = rank < 0 || next < 0 ? members.length : next;
  const source = layOut(text, root, value, elementIndent(text, root, parent));
  return insertText(text, root, parent, index, `${JSON.stringify(name)}${colonOf(text, root)}${source}`);
}

/** Inserts the text of an item before the item of that index, with the spaces that the others have. */
function insertText(text: string, root: JsonNode, parent: JsonNode, index: number, source: string): string {
  const items = parent.children;
  const [first, second] = items;
  const before = items[index - 1];
  const next = items[index];
  if (first) {
    const lead = text.slice(parent.offset + 1, first.offset);
    const gap = second ? text.slice(endOf(first), second.offset).replace(',', '') : lead;
    // A list in one line has its spaces between the items only.
    const space = !second && !lead.includes('\n') ? ' ' : gap;
    if (before) return splice(text, endOf(before), endOf(before), `,${space}${source}`);
    if (next) return splice(text, next.offset, next.offset, `${source},${space}`);
  }
  const inner = elementIndent(text, root, parent);
  const begin = inner === undefined ? '' : `${lineEnd(text)}${inner}`;
  const end = inner === undefined ? '' : `${lineEnd(text)}${lineIndent(text, parent.offset)}`;
  return splice(text, parent.offset + 1, endOf(parent) - 1, `${begin}${source}${end}`);
}

/** Returns the indent of the items of an array or object; undefined if they are in one line. */
function elementIndent(text: string, root: JsonNode, parent: JsonNode): string | undefined {
  const first = parent.children[0];
  if (first) {
    const lead = text.slice(parent.offset + 1, first.offset);
    return lead.includes('\n') ? lead.slice(lead.lastIndexOf('\n') + 1) : undefined;
  }
  const unit = unitOf(text, root);
  return unit === undefined ? undefined : lineIndent(text, parent.offset) + unit;
}

/** Returns by how much the text is indented; undefined if its outermost object is in one line. */
function unitOf(text: string, root: JsonNode): string | undefined {
  const first = root.children[0];
  const lead = first ? text.slice(root.offset + 1, first.offset) : '\n  ';
  return lead.includes('\n') ? lead.slice(lead.lastIndexOf('\n') + 1) : undefined;
}

/** Returns a value as JSON, in one line if what is around it, or what it replaces, is in one line. */
function layOut(
  text: string,
  root: JsonNode,
  value: unknown,
  indent: string | undefined,
  replaced?: JsonNode,
): string {
  const unit = unitOf(text, root);
  const isFlat = replaced !== undefined && isInOneLine(text, replaced);
  const isOneLine = indent === undefined || unit === undefined || isFlat;
  const source = JSON.stringify(value, undefined, isOneLine ? undefined : unit);
  if (!isOneLine) return source.replaceAll('\n', `${lineEnd(text)}${indent}`);
  return colonOf(text, root).endsWith(' ') ? spaced(value) : source;
}

/** Returns whether an array or object, or what another value is in, is in one line. */
function isInOneLine(text: string, node: JsonNode): boolean {
  const { parent } = node;
  const holder = parent?.type === 'member' ? parent.parent : parent;
  const seen = node.children.length > 0 ? node : holder;
  const first = seen?.children[0];
  return seen !== undefined && first !== undefined && !text.slice(seen.offset, first.offset).includes('\n');
}

/** Returns JSON in one line with spaces behind commas and colons. */
function spaced(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).filter(([, one]) => one !== undefined);
  return `{${members.map(([name, one]) => `${JSON.stringify(name)}: ${spaced(one)}`).join(', ')}}`;
}

/** Returns the colon with the spaces that the first member of the text has around it. */
function colonOf(text: string, root: JsonNode): string {
  const [name, value] = root.type === 'object' ? (root.children[0]?.children ?? []) : [];
  const colon = name && value ? text.slice(endOf(name), value.offset) : ': ';
  return colon.includes('\n') ? ': ' : colon;
}

function lineIndent(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}

function lineEnd(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

function endOf({ offset, length }: JsonNode): number {
  return offset + length;
}

function replace(text: string, node: JsonNode, source: string): string {
  return splice(text, node.offset, endOf(node), source);
}

function splice(text: string, from: number, to: number, insert: string): string {
  return text.slice(0, from) + insert + text.slice(to);
}
