import { interactionLimits } from '@parley/contracts/limits';
import { z } from 'zod';
import { shortList } from '../../values/short-list.ts';
import { textSchema } from '../../values/text.ts';

const { contextValueBytesMax, contextBytesMax } = interactionLimits;

const contextValue = textSchema({ max: contextValueBytesMax }).refine(
  (value) => Buffer.byteLength(value) <= contextValueBytesMax,
  `Must be at most ${contextValueBytesMax / 1024} KiB in UTF-8`,
);

/** The schema of the context: unique keys, values of at most 2 KiB each and 16 KiB in all, in UTF-8. */
export const context = shortList(
  200,
  z
    .array(
      z.strictObject({
        key: textSchema({ min: 1, max: 255 }).meta({ examples: ['productName'] }),
        value: contextValue.meta({ examples: ['Tea'] }),
      }),
    )
    .check(({ value: entries, issues }) => {
      const seen = new Set<string>();
      for (const [index, { key }] of entries.entries()) {
        if (seen.has(key)) {
          issues.push({ code: 'custom', path: [index, 'key'], message: 'Is repeated', input: key });
        }
        seen.add(key);
      }
      if (entries.reduce((bytes, { value }) => bytes + Buffer.byteLength(value), 0) > contextBytesMax) {
        issues.push({
          code: 'custom',
          message: `Must be at most ${contextBytesMax / 1024} KiB in all`,
          input: entries,
        });
      }
    }),
);
