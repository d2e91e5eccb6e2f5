import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { pointerTo } from '@parley/runtime/json-pointer';
import { Failure, faultCount, type FaultInFile } from './failure.ts';
import { placeIn } from './place.ts';
import { readText } from './text-file.ts';

/** A file of JSON, read. */
export interface JsonFile {
  file: string;
  text: string;
  value: unknown;
  /** Names that an object has twice: JSON allows them, and nobody means them. */
  repeated: FaultInFile[];
  /** The fault with its place in the file: that of the object where what is missing should be. */
  place(fault: { pointer: string; detail: string }): FaultInFile;
}

const sayings: Record<ReturnType<typeof printParseErrorCode>, string> = {
  InvalidSymbol: 'This is no JSON value: texts stand in double quotes.',
  InvalidNumberFormat: 'This is not a number as JSON has them.',
  PropertyNameExpected: 'A name in double quotes is expected here, or no comma before.',
  ValueExpected: 'A value is expected here, or no comma before.',
  ColonExpected: 'A colon is missing before this.',
  CommaExpected: 'A comma is missing before this.',
  CloseBraceExpected: 'A closing brace } is missing.',
  CloseBracketExpected: 'A closing bracket ] is missing.',
  EndOfFileExpected: 'The value has ended before this.',
  InvalidCommentToken: 'JSON has no comments.',
  UnexpectedEndOfComment: 'JSON has no comments, and this one does not end.',
  UnexpectedEndOfString: 'The closing double quote is missing.',
  UnexpectedEndOfNumber: 'The number is not complete.',
  InvalidUnicode: 'After \\u there must be four hexadecimal digits.',
  InvalidEscapeCharacter: 'There is no such escape in JSON; a backslash itself is \\\\.',
  InvalidCharacter: 'A control character must be escaped, a line break as \\n.',
  '<unknown ParseErrorCode>': 'This is not JSON.',
};

/** How many places that are no JSON are shown. */
const faultsMax = 20;

/** Reads a file of JSON. Throws a `Failure` when it cannot be read, or with every place that is no JSON. */
export async function readJsonFile(file: string): Promise<JsonFile> {
  return parseJson(file, await readText(file));
}

function parseJson(file: string, text: string): JsonFile {
  const errors: ParseError[] = [];
  const fault = (detail: string, pointer: string, offset: number, length: number): FaultInFile => {
    return { pointer, detail, place: placeIn(file, text, offset, length) };
  };
  let root: Node | undefined;
  let value: unknown;
  try {
    root = parseTree(text, errors, { disallowComments: true, allowTrailingComma: false });
    if (errors.length === 0) value = JSON.parse(text);
  } catch (error) {
    // Nested beyond measure, or what only the stricter of the two refuses.
    const detail = error instanceof RangeError ? 'This is nested too deeply.' : reasonOf(error);
    throw notJson(file, [fault(detail, '', 0, 1)], { cause: error });
  }
  if (!root || errors.length > 0) {
    const detailOf = ({ error }: ParseError): string => sayings[printParseErrorCode(error)];
    const news = errors.filter(isNews);
    // One slip makes many: the first ones tell.
    const shown = news.slice(0, faultsMax).map((one) => fault(detailOf(one), '', one.offset, one.length));
    throw notJson(file, shown, { count: news.length });
  }
  const tree = root;
  return {
    file,
    text,
    value,
    repeated: repeatedNames(tree, '').map(({ name, pointer, node }) =>
      fault(
        `The name ${JSON.stringify(name)} is there twice in this object: the last one counts.`,
        pointer,
        node.offset,
        node.length,
      ),
    ),
    place: ({ pointer, detail }) => {
      const { offset, length } = meant(tree, pointer, detail);
      return fault(detail, pointer, offset, length);
    },
  };
}

// After something that is no value the parser misses one, and at some places it misses two things.
function isNews({ error, offset }: ParseError, index: number, all: ParseError[]): boolean {
  const before = all[index - 1];
  if (!before) return true;
  const name = printParseErrorCode(error);
  const isEcho = name === 'ValueExpected' && printParseErrorCode(before.error) === 'InvalidSymbol';
  return !isEcho && before.offset !== offset;
}

function notJson(
  file: string,
  faults: FaultInFile[],
  { count = faults.length, cause }: { count?: number; cause?: unknown } = {},
): Failure {
  const rest = count > faults.length ? `, the first ${faults.length} of them` : '';
  return new Failure(`${file} is not JSON: ${faultCount(count)}${rest}`, {
    type: 'invalid-json',
    faults,
    cause,
  });
}

/** What a fault is about: the value, the name where that is what is wrong, the beginning of what has parts. */
function meant(root: Node, pointer: string, detail: string): { offset: number; length: number } {
  let node = root;
  for (const segment of pointer.split('/').slice(1)) {
    const name = segment.replaceAll('~1', '/').replaceAll('~0', '~');
    const child = childOf(node, name);
    if (!child) return begin(node);
    if (child.key && detail.startsWith(JSON.stringify(name))) return child.key;
    node = child.value;
  }
  return begin(node);
}

function begin({ type, offset, length }: Node): { offset: number; length: number } {
  return { offset, length: type === 'object' || type === 'array' ? 1 : length };
}

// Of members with the same name the last one, as `JSON.parse` has it.
function childOf({ type, children = [] }: Node, name: string): { key?: Node; value: Node } | undefined {
  if (type === 'array') {
    const value = /^\d+$/.test(name) ? children[Number(name)] : undefined;
    return value && { value };
  }
  const [key, value] = children.findLast((member) => member.children?.[0]?.value === name)?.children ?? [];
  return key && value && { key, value };
}

function repeatedNames(node: Node, at: string): { name: string; pointer: string; node: Node }[] {
  if (node.type === 'array') {
    return (node.children ?? []).flatMap((child, index) => repeatedNames(child, `${at}/${index}`));
  }
  if (node.type !== 'object') return [];
  const seen = new Set<string>();
  return (node.children ?? []).flatMap(({ children: [key, value] = [] }) => {
    if (!key || !value) return [];
    const name = String(key.value);
    const pointer = at + pointerTo([name]);
    const own = seen.has(name) ? [{ name, pointer, node: key }] : [];
    seen.add(name);
    return [...own, ...repeatedNames(value, pointer)];
  });
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
