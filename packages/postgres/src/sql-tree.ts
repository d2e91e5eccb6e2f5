/** A word (in lower case), a quoted name, a parameter or whatever else stands for itself. */
interface Token {
  kind: 'word' | 'name' | 'parameter' | 'other';
  text: string;
}

/** What is in parentheses. */
interface Group {
  kind: 'group';
  text: '()';
  nodes: Node[];
}

/** SQL as far as it is read here: tokens, and parentheses as trees. */
export type Node = Token | Group;

interface Tree {
  nodes: Node[];
  comments: string[];
}

const lexeme =
  /(?<space>\s+)|(?<comment>--[^\n]*|\/\*[^]*?\*\/)|(?<name>"[^"]+")|(?<string>'(?:[^'\\]|'')*')|(?<parameter>\$\d+)|(?<word>[a-z_]\w*)|(?<number>\d[\w.]*)|(?<other>::|[<>!=|&@#~]+|[-+*/%^.,:()[\]])/iy;

/** Reads one statement. Throws at what it does not know: dollar quotes, backslashes in strings, several statements. */
export function readSql(text: string): Tree {
  const comments: string[] = [];
  const open: Node[][] = [[]];
  for (let at = 0; at < text.length; ) {
    lexeme.lastIndex = at;
    const { groups = {} } = lexeme.exec(text) ?? {};
    const [kind, found] = Object.entries(groups).find(([, one]) => one !== undefined) ?? [];
    if (kind === undefined || found === undefined) throw new Error(`cannot read on at: ${text.slice(at)}`);
    at += found.length;
    const here = open.at(-1) ?? [];
    if (kind === 'space') continue;
    if (kind === 'comment') comments.push(found);
    else if (found === '(') open.push([]);
    else if (found === ')') {
      open.pop();
      open.at(-1)?.push({ kind: 'group', text: '()', nodes: here });
    } else if (kind === 'word') here.push({ kind, text: found.toLowerCase() });
    else if (kind === 'name') here.push({ kind, text: found.slice(1, -1) });
    else here.push({ kind: kind === 'parameter' ? kind : 'other', text: found });
  }
  const [nodes] = open;
  if (!nodes || open.length !== 1) throw new Error('parentheses do not match');
  return { nodes, comments };
}

/** Whether the node is one of the words. */
export function isWord(node: Node | undefined, ...words: string[]): boolean {
  return node?.kind === 'word' && words.includes(node.text);
}

/** Where the first of the words stands, not in parentheses; the end when there is none. */
export function indexOfWord(nodes: readonly Node[], words: readonly string[], from = 0): number {
  for (let at = from; at < nodes.length; at += 1) {
    const isDistinct = isWord(nodes[at], 'from') && isWord(nodes[at - 1], 'distinct');
    if (isWord(nodes[at], ...words) && !isDistinct) return at;
  }
  return nodes.length;
}

/** The parts between the words (or signs), parentheses left whole. */
export function splitAt(nodes: readonly Node[], ...separators: string[]): Node[][] {
  const parts: Node[][] = [[]];
  for (const node of nodes) {
    if (node.kind !== 'name' && separators.includes(node.text)) parts.push([]);
    else parts.at(-1)?.push(node);
  }
  return parts;
}
