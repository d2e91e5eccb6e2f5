import { readFile } from 'node:fs/promises';
import { type BotDefinition, validateDefinition } from '@parley/bot/definition';
import { Failure } from './failure.ts';

/** A bot definition as it stands in a file: valid, with the text to publish. Throws a `Failure` with every fault. */
export async function readDefinition(file: string): Promise<{ definition: BotDefinition; text: string }> {
  const { value, text } = await readJson(file);
  const result = validateDefinition(value);
  if ('definition' in result) return { definition: result.definition, text };
  const { faults } = result;
  const count = faults.length === 1 ? '1 fault' : `${faults.length} faults`;
  throw new Failure(`${file} is not a valid bot definition: ${count}`, {
    type: 'invalid-definition',
    faults,
  });
}

/** The JSON value of a file, and its text. Throws a `Failure` when it cannot be read or is no JSON. */
export async function readJson(file: string): Promise<{ value: unknown; text: string }> {
  try {
    const text = await readFile(file, 'utf8');
    return { value: JSON.parse(text), text };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (error instanceof SyntaxError) {
      throw new Failure(`${file} is not JSON: ${reason}`, { type: 'invalid-json', cause: error });
    }
    const isAbsent = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    const message = isAbsent ? `there is no file ${file}` : `${file} cannot be read: ${reason}`;
    throw new Failure(message, { type: 'unreadable-file', cause: error });
  }
}
