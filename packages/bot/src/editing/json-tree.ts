import { itemPlaces } from '@parley/runtime/json/json-scan';

/** A value of a JSON text, or a member of an object. Places are in UTF-16 units. */
export interface JsonNode {
  type: 'object' | 'array' | 'member' | 'other';
  offset: number;
  length: number;
  parent: JsonNode | undefined;
  /** The name of a member. */
  name: string | undefined;
  /** The members of an object, the elements of an array, or the name and the value of a member. */
  readonly children: readonly JsonNode[];
}

/**
 * Returns the value of a JSON text; undefined for another text. What a value contains is read when it is used first: an
 * edit of a long text follows one path.
 */
export function readTree(text: string): JsonNode | undefined {
  try {
    JSON.parse(text);
  } catch {
    return undefined;
  }
  return nodeIn(text, text.length - text.trimStart().length, text.trimEnd().length, undefined);
}

function nodeIn(
  text: string,
  from: number,
  to: number,
  parent: JsonNode | undefined,
  colon?: number,
): JsonNode {
  const types = { '{': 'object', '[': 'array' } as const;
  const isMember = colon !== undefined;
  let children: JsonNode[] | undefined;
  const node: JsonNode = {
    type: isMember ? 'member' : (types[text.charAt(from) as keyof typeof types] ?? 'other'),
    offset: from,
    length: to - from,
    parent,
    name: isMember ? (JSON.parse(text.slice(from, colon)) as string) : undefined,
    get children() {
      return (children ??= isMember ? partsOf(text, node, colon) : itemsOf(text, node));
    },
  };
  return node;
}

/** Returns the name and the value of a member. */
function partsOf(text: string, member: JsonNode, colon: number): JsonNode[] {
  const { offset, length } = member;
  const end = offset + length;
  const name = text.slice(offset, colon).trimEnd();
  const value = text.slice(colon + 1, end).trimStart();
  return [nodeIn(text, offset, offset + name.length, member), nodeIn(text, end - value.length, end, member)];
}

function itemsOf(text: string, node: JsonNode): JsonNode[] {
  if (node.type === 'other') return [];
  return itemPlaces(text, node.offset).map(({ from, to, colon }) => nodeIn(text, from, to, node, colon));
}
