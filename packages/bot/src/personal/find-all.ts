import type { Slices } from '../bounds/slices.ts';

const nodesPerSlice = 1_000;

/**
 * Calls `isMatch` for each occurrence in a text, at its indexes [start, end). Of occurrences with one end, the longest
 * is first, and `isMatch` returns whether to leave out the shorter ones.
 */
export type FindAll<Wanted> = (
  text: string,
  isMatch: (wanted: Wanted, start: number, end: number) => boolean,
) => void;

/** Node 0 stands for the empty text, each other one for a beginning of a wanted text. */
interface Trie<Wanted> {
  /** By node: its first child or 0, and its other children by their last UTF-16 units. Most nodes have one child. */
  children: number[];
  otherChildren: (Map<number, number> | undefined)[];
  /** By node: the one before it, its last unit, and the wanted text that ends there. */
  parents: number[];
  units: number[];
  wanted: (Wanted | undefined)[];
  levels: number[][];
  /** By node: its longest proper end that is a node too, and the longest wanted text among its proper ends, or 0. */
  fallbacks: number[];
  shorter: number[];
}

/**
 * Returns a function that finds every occurrence of the wanted texts in a text, also overlapping ones, in one pass (Aho
 * and Corasick, 1975). A slice takes one wanted text. Empty ones are ignored.
 */
export function* createFindAll<Wanted extends { text: string }>(
  wanted: Iterable<Wanted>,
): Slices<FindAll<Wanted>> {
  const trie: Trie<Wanted> = {
    children: [0],
    otherChildren: [undefined],
    parents: [0],
    units: [0],
    wanted: [undefined],
    levels: [],
    fallbacks: [0],
    shorter: [0],
  };
  for (const one of wanted) {
    if (one.text !== '') add(trie, one);
    yield;
  }
  yield* link(trie);
  return (text, isMatch) => findIn(trie, text, isMatch);
}

function add<Wanted extends { text: string }>(trie: Trie<Wanted>, one: Wanted): void {
  const { text } = one;
  let node = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    const known = childOf(trie, node, unit);
    node = known === 0 ? addChild(trie, node, unit, at) : known;
  }
  trie.wanted[node] = one;
}

function addChild<Wanted>(trie: Trie<Wanted>, parent: number, unit: number, level: number): number {
  const { children, otherChildren } = trie;
  const node = trie.parents.push(parent) - 1;
  trie.units.push(unit);
  (trie.levels[level] ??= []).push(node);
  children.push(0);
  otherChildren.push(undefined);
  if (children[parent] === 0) children[parent] = node;
  else (otherChildren[parent] ??= new Map()).set(unit, node);
  return node;
}

/** Returns the child of a node with that last unit, or 0. */
function childOf({ children, otherChildren, units }: Trie<unknown>, node: number, unit: number): number {
  const first = children[node] ?? 0;
  if (first !== 0 && units[first] === unit) return first;
  return otherChildren[node]?.get(unit) ?? 0;
}

/** Shorter nodes first: each node needs the nodes of its ends. */
function* link(trie: Trie<unknown>): Slices<void> {
  const { parents, units, wanted, levels, fallbacks, shorter } = trie;
  let linked = 0;
  for (const level of levels) {
    for (const node of level) {
      const parent = parents[node] ?? 0;
      const fallback = parent === 0 ? 0 : nodeAfter(trie, fallbacks[parent] ?? 0, units[node] ?? 0);
      fallbacks[node] = fallback;
      shorter[node] = wanted[fallback] === undefined ? (shorter[fallback] ?? 0) : fallback;
      linked += 1;
      if (linked % nodesPerSlice === 0) yield;
    }
  }
}

/** Returns the longest end of a node's text with the unit behind it that is a node, or 0. */
function nodeAfter(trie: Trie<unknown>, from: number, unit: number): number {
  for (let node = from; ; node = trie.fallbacks[node] ?? 0) {
    const after = childOf(trie, node, unit);
    if (after !== 0 || node === 0) return after;
  }
}

function findIn<Wanted extends { text: string }>(
  trie: Trie<Wanted>,
  text: string,
  isMatch: Parameters<FindAll<Wanted>>[1],
): void {
  let node = 0;
  for (let at = 0; at < text.length; at += 1) {
    node = nodeAfter(trie, node, text.charCodeAt(at));
    for (let end = node; end !== 0; end = trie.shorter[end] ?? 0) {
      const wanted = trie.wanted[end];
      if (wanted !== undefined && isMatch(wanted, at + 1 - wanted.text.length, at + 1)) break;
    }
  }
}
