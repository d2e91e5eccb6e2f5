import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { once } from '../http/answer/resource.ts';
import { placeholderAccess } from './samples.ts';

const schema = z.strictObject({
  access: z.strictObject({ baseUrl: z.url(), apiKey: z.string(), apiSecret: z.string() }).optional(),
  /** A note for readers who send them, in Markdown. */
  note: z.string(),
  params: z.record(z.string(), z.string()),
  bodies: z.record(z.string(), z.unknown()),
});

/** Examples that work in one deployment. They replace made-up ones. */
export type GivenExamples = z.output<typeof schema>;

/** No examples: the document is the same everywhere. */
export const noExamples: GivenExamples = { note: '', params: {}, bodies: {} };

/** Returns the examples with placeholders for the key, for a public document. */
export function withoutKey({ access, ...others }: GivenExamples): GivenExamples {
  return { ...others, ...(access && { access: { ...placeholderAccess, baseUrl: access.baseUrl } }) };
}

/**
 * Returns a function for the result of `make` with the examples of the file. It runs `make` at the first call, and
 * again after the file has changed.
 */
export function cachedByExamples<Made>(
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

// Empty without a file: a local run writes it when all else is ready.
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
