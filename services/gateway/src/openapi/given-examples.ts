import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { once } from '../http/resource.ts';
import { placeholderAccess } from './samples.ts';

const schema = z.strictObject({
  /** The address and a key that samples use. */
  access: z.strictObject({ baseUrl: z.url(), apiKey: z.string(), apiSecret: z.string() }).optional(),
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

/** As given, with placeholders for the key: for a document that anyone may read. */
export function withoutKey({ access, ...others }: GivenExamples): GivenExamples {
  return { ...others, ...(access && { access: { ...placeholderAccess, baseUrl: access.baseUrl } }) };
}

/**
 * Answers what is made of the examples in the file. Made when it is first asked for, and again when the file has
 * changed.
 */
export function madeOfExamples<Made>(
  path: string | undefined,
  make: (examples: GivenExamples) => Promise<Made>,
): () => Promise<Made> {
  let madeOf: string | undefined;
  let made: () => Promise<Made>;
  return async () => {
    const text = await readExamples(path);
    if (text !== madeOf) {
      madeOf = text;
      made = once(() => make(parseExamples(text)));
    }
    return made();
  };
}

// Empty when there is no file, or none yet: a local run writes it when all else is ready.
async function readExamples(path: string | undefined): Promise<string> {
  if (path === undefined) return '';
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}

function parseExamples(text: string): GivenExamples {
  return text === '' ? noExamples : schema.parse(JSON.parse(text));
}
