/** A place in a file, with the line to show. */
export interface Place {
  file: string;
  /** From 1. */
  line: number;
  /** From 1, in UTF-16 units, as editors count. */
  column: number;
  /** The line, and a second line with carets below the place. Empty if the line may have a secret. */
  frame: string;
}

const frameCharsMax = 100;
/** The shown part of a long line before the place. */
const leadChars = 60;

export function placeIn(file: string, text: string, offset: number, length: number): Place {
  const before = text.slice(0, offset).split(/\r\n|\n|\r/);
  const line = before.length;
  const start = before.at(-1)?.length ?? 0;
  // Terminals interpret control characters.
  const content = (/^[^\r\n]*/.exec(text.slice(offset - start))?.[0] ?? '').replaceAll(
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g,
    '·',
  );
  return { file, line, column: start + 1, frame: frameOf(content, String(line), start, length) };
}

function frameOf(content: string, line: string, start: number, length: number): string {
  const from = content.length > frameCharsMax ? Math.max(0, start - leadChars) : 0;
  const shown = content.slice(from, from + frameCharsMax);
  // A tab has the same width in both lines.
  const indent = shown.slice(0, start - from).replaceAll(/[^\t]/g, ' ');
  const carets = '^'.repeat(Math.max(1, Math.min(length, shown.length - (start - from))));
  const end = from + frameCharsMax < content.length ? '…' : '';
  return `${line} |${from > 0 ? '…' : ' '}${shown}${end}\n${' '.repeat(line.length)} | ${indent}${carets}`;
}
