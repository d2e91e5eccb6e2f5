/** Where something stands in a file, with the line to show. */
export interface Place {
  file: string;
  /** From 1. */
  line: number;
  /** From 1, in UTF-16 units, as editors count. */
  column: number;
  /** The line, and below it carets under what is meant. */
  frame: string;
}

const frameCharsMax = 100;
/** How much of a long line is shown before what is meant. */
const leadChars = 60;

/** The place of `length` characters from `offset` on. */
export function placeIn(file: string, text: string, offset: number, length: number): Place {
  const before = text.slice(0, offset).split(/\r\n|\n|\r/);
  const line = before.length;
  const column = (before.at(-1) ?? '').length + 1;
  // A control character would be an order to the terminal.
  const content = (/^[^\r\n]*/.exec(text.slice(offset - column + 1))?.[0] ?? '').replaceAll(
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g,
    '·',
  );
  return { file, line, column, frame: frameOf(content, line, column - 1, length) };
}

function frameOf(content: string, line: number, start: number, length: number): string {
  const from = content.length > frameCharsMax ? Math.max(0, start - leadChars) : 0;
  const shown = content.slice(from, from + frameCharsMax);
  const gutter = String(line);
  // Tabs stay tabs, so that the carets are below what they mean however wide a tab is.
  const indent = shown.slice(0, start - from).replaceAll(/[^\t]/g, ' ');
  const carets = '^'.repeat(Math.max(1, Math.min(length, shown.length - (start - from))));
  const cut = (isCut: boolean): string => (isCut ? '…' : ' ');
  const end = from + frameCharsMax < content.length ? '…' : '';
  return [
    `${gutter} |${cut(from > 0)}${shown}${end}`,
    `${' '.repeat(gutter.length)} | ${indent}${carets}`,
  ].join('\n');
}
