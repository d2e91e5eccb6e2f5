import type { Script } from '@parley/bot/simulate';
import { faultMessage, zodFaults } from '@parley/runtime/zod-faults';
import { z } from 'zod';
import { Failure } from '../failure.ts';
import { readJsonFile } from './json-file.ts';
import type { Shell } from '../shell.ts';

const stepId = z.string().optional();
const answer = z.union(
  [
    z.string().transform((text) => ({ text })),
    z.strictObject({ stepId, value: z.json() }),
    z.strictObject({ stepId, text: z.string() }),
    z.strictObject({ stepId, skip: z.literal(true) }),
  ],
  { error: 'Must be a string, or an object with exactly one of value, text and "skip": true' },
);
const texts = z.record(z.string(), z.string()).optional();
const script = z.strictObject({
  answers: z.array(answer),
  customer: texts,
  context: texts,
  locale: z.string().optional(),
  model: z.array(z.unknown()).optional(),
});

/**
 * Reads the script of a simulation: a JSON array of answers, or `{answers, customer?, context?, locale?, model?}`. An
 * answer is a string, `{"value": ...}`, `{"text": "..."}` or `{"skip": true}`. With a `stepId` it must be for that
 * question. `model` has the answers of the model, in order. Throws a `Failure` with every fault.
 */
export async function readScript(file: string, shell: Shell): Promise<Script> {
  const { value, repeated, place } = await readJsonFile(file, shell);
  const isBare = Array.isArray(value);
  const { data, error } = script.safeParse(isBare ? { answers: value } : value, { error: faultMessage });
  if (data && repeated.length === 0) return data;
  const faults = error ? zodFaults(error) : [];
  const placed = faults.map(({ pointer, detail }) =>
    place({ pointer: isBare ? pointer.replace('/answers', '') : pointer, detail }),
  );
  const all = [...repeated, ...placed];
  throw new Failure(`${file} is not a valid script`, { type: 'invalid-script', faults: all });
}
