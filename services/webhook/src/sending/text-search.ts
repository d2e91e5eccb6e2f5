/** Finds any of some texts. */
export interface TextSearch {
  /**
   * Reads a text once and tells of the longest that is sought at each place where one ends: where it begins and ends. Returns
   * the length of the longest beginning, or whole, of one that is sought in which the text ends.
   */
  read(text: Uint8Array, found: (start: number, end: number) => void): number;
}

/**
 * Makes a search for texts (Aho and Corasick, 1975). The work of making it is proportional to their bytes together, that of
 * reading to those that are read, whatever they are: the number of texts is no factor. 17 bytes are held for each of theirs, and
 * at most a KiB for each of them.
 */
export function createTextSearch(texts: readonly Uint8Array[]): TextSearch {
  const nodes = openNodes(1 + texts.reduce((sum, { length }) => sum + length, 0));
  // All their first bytes, then all their second ones: what a node falls back to is less deep, and so is there already.
  const growing = texts
    .filter(({ length }) => length > 0)
    .sort((one, other) => other.length - one.length)
    .map((text) => ({ text, node: 0 }));
  for (let depth = 1; growing.length > 0; depth += 1) {
    for (const branch of growing) {
      branch.node = nodes.grow(branch.node, branch.text[depth - 1] ?? 0);
      if (branch.text.length === depth) nodes.end(branch.node, depth);
    }
    // The longest come first.
    while (growing.at(-1)?.text.length === depth) growing.pop();
  }
  return {
    read: (text, found) => {
      let node = 0;
      for (let index = 0; index < text.length; index += 1) {
        node = nodes.next(node, text[index] ?? 0);
        const length = nodes.longest(node);
        if (length > 0) found(index + 1 - length, index + 1);
      }
      return nodes.depth(node);
    },
  };
}

/** The tree of beginnings: a node is one of them, node 0 the empty one. */
function openNodes(max: number) {
  /** Of a node that has one child: that, and the byte that leads there. Of one with several: minus the number of its row. */
  const children = new Int32Array(max);
  const bytes = new Uint8Array(max);
  /** Children by byte. A text that is added makes one more at most. */
  const rows = [new Int32Array()];
  /** The node of the longest end of this beginning that is a beginning too. */
  const fallbacks = new Int32Array(max);
  /** The longest text in which this beginning ends. */
  const longests = new Int32Array(max);
  const depths = new Int32Array(max);
  let size = 1;

  /** 0: there is none. */
  const childOf = (node: number, byte: number): number => {
    const child = children[node] ?? 0;
    if (child < 0) return rows[-child]?.[byte] ?? 0;
    return bytes[node] === byte ? child : 0;
  };

  const setChild = (node: number, byte: number, child: number): void => {
    const only = children[node] ?? 0;
    if (only === 0) {
      children[node] = child;
      bytes[node] = byte;
      return;
    }
    let row = rows[-only];
    if (!row) {
      row = new Int32Array(256);
      row[bytes[node] ?? 0] = only;
      children[node] = -rows.length;
      rows.push(row);
    }
    row[byte] = child;
  };

  // Each step back is paid by a step forward before.
  const next = (from: number, byte: number): number => {
    for (let node = from; ; node = fallbacks[node] ?? 0) {
      const child = childOf(node, byte);
      if (child > 0 || node === 0) return child;
    }
  };

  return {
    next,
    depth: (node: number): number => depths[node] ?? 0,
    longest: (node: number): number => longests[node] ?? 0,
    grow: (node: number, byte: number): number => {
      const known = childOf(node, byte);
      if (known > 0) return known;
      const child = size;
      size += 1;
      const fallback = node === 0 ? 0 : next(fallbacks[node] ?? 0, byte);
      fallbacks[child] = fallback;
      longests[child] = longests[fallback] ?? 0;
      depths[child] = (depths[node] ?? 0) + 1;
      setChild(node, byte, child);
      return child;
    },
    end: (node: number, length: number): void => {
      longests[node] = length;
    },
  };
}
