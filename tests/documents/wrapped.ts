const lineMax = 120;

/** Returns the lines of an entry of a list in Markdown, of at most 120 characters. */
export function wrapped(entry: string): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of entry.split(' ')) {
    if (line && line.length + 1 + word.length > lineMax) {
      lines.push(line);
      line = ` `;
    }
    line = line ? `${line} ${word}` : word;
  }
  return [...lines, line];
}
