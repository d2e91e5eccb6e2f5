import { readFile } from 'node:fs/promises';
import { z } from 'zod';

const schema = z.strictObject({
  /** What a reader has to know before sending them, in Markdown. */
  note: z.string(),
  /** Path parameters by name. */
  params: z.record(z.string(), z.string()),
  /** Request bodies by operation. */
  bodies: z.record(z.string(), z.unknown()),
});

/** Examples that work in one deployment, in the place of made-up ones. */
export type GivenExamples = z.output<typeof schema>;

/** None: the document is then the same everywhere. */
export const noExamples: GivenExamples = { note: '', params: {}, bodies: {} };

/** The text of the file; empty when there is none, also for one that is not written yet. */
export async function readExamples(path: string | undefined): Promise<string> {
  if (path === undefined) return '';
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}

/** Reads the text of such a file. Throws for what is none. */
export function parseExamples(text: string): GivenExamples {
  return text === '' ? noExamples : schema.parse(JSON.parse(text));
}
