import type { Script, ScriptAnswer } from '@parley/bot/simulate';
import type { Fault } from '@parley/runtime/errors';
import { readJson } from './definition-file.ts';
import { Failure } from './failure.ts';

/**
 * The script of a simulation: a JSON array of answers, or `{answers, customer?, context?, locale?}`. An answer is
 * `{"value": ...}`, `{"text": "..."}` or `{"skip": true}`, with a `stepId` if it must be to that question; a bare string
 * is a text. Throws a `Failure` with every fault.
 */
export async function readScript(file: string): Promise<Script> {
  const { value } = await readJson(file);
  const faults: Fault[] = [];
  const isBare = Array.isArray(value);
  const script = isBare ? { answers: value } : value;
  if (!isRecord(script) || !Array.isArray(script['answers'])) {
    throw invalidScript(file, [
      { pointer: '', detail: 'Must be an array of answers, or an object with "answers"' },
    ]);
  }
  for (const name of Object.keys(script)) {
    if (!['answers', 'customer', 'context', 'locale'].includes(name)) {
      faults.push({ pointer: `/${name}`, detail: 'Is not known. Known: answers, customer, context, locale' });
    }
  }
  const at = isBare ? '' : '/answers';
  const answers = script['answers'].flatMap((given: unknown, index) => {
    const answer = readAnswer(given);
    if (answer) return [answer];
    const detail = 'Must be a string, or an object with exactly one of value, text and "skip": true';
    faults.push({ pointer: `${at}/${index}`, detail });
    return [];
  });
  const customer = texts(script['customer'], '/customer', faults);
  const context = texts(script['context'], '/context', faults);
  const { locale } = script;
  if (locale !== undefined && typeof locale !== 'string') {
    faults.push({ pointer: '/locale', detail: 'Must be a string' });
  }
  if (faults.length > 0) throw invalidScript(file, faults);
  return { answers, customer, context, ...(typeof locale === 'string' && { locale }) };
}

function readAnswer(given: unknown): ScriptAnswer | undefined {
  if (typeof given === 'string') return { text: given };
  if (!isRecord(given)) return undefined;
  const { stepId, ...rest } = given;
  const step = typeof stepId === 'string' ? { stepId } : {};
  if ((stepId !== undefined && typeof stepId !== 'string') || Object.keys(rest).length !== 1)
    return undefined;
  if ('value' in rest) return { ...step, value: rest['value'] };
  if (typeof rest['text'] === 'string') return { ...step, text: rest['text'] };
  return rest['skip'] === true ? { ...step, skip: true } : undefined;
}

function texts(given: unknown, pointer: string, faults: Fault[]): Record<string, string> {
  const found: Record<string, string> = {};
  if (given === undefined) return found;
  if (!isRecord(given)) faults.push({ pointer, detail: 'Must be an object' });
  else {
    for (const [name, value] of Object.entries(given)) {
      if (typeof value === 'string') found[name] = value;
      else faults.push({ pointer: `${pointer}/${name}`, detail: 'Must be a string' });
    }
  }
  return found;
}

function invalidScript(file: string, faults: Fault[]): Failure {
  return new Failure(`${file} is not a valid script`, { type: 'invalid-script', faults });
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
