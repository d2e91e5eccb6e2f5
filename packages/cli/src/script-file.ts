import type { Script, ScriptAnswer } from '@parley/bot/simulate';
import type { Fault } from '@parley/runtime/errors';
import { Failure } from './failure.ts';
import { type JsonFile, readJsonFile } from './json-file.ts';

const known = ['answers', 'customer', 'context', 'locale', 'model'];

/**
 * The script of a simulation: a JSON array of answers, or `{answers, customer?, context?, locale?, model?}`. An answer is
 * `{"value": ...}`, `{"text": "..."}` or `{"skip": true}`, with a `stepId` if it must be to that question; a bare string
 * is a text. `model` is what the model answers, in order. Throws a `Failure` with every fault.
 */
export async function readScript(file: string): Promise<Script> {
  const json = await readJsonFile(file);
  const { value } = json;
  const faults: Fault[] = [];
  const isBare = Array.isArray(value);
  const script = isBare ? { answers: value } : value;
  if (!isRecord(script) || !Array.isArray(script['answers'])) {
    throw invalidScript(json, [
      { pointer: '', detail: 'Must be an array of answers, or an object with "answers"' },
    ]);
  }
  for (const name of Object.keys(script)) {
    if (!known.includes(name)) {
      faults.push({
        pointer: `/${name}`,
        detail: `"${name}" is not known here. Known: ${known.join(', ')}.`,
      });
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
  const { locale, model } = script;
  if (locale !== undefined && typeof locale !== 'string') {
    faults.push({ pointer: '/locale', detail: 'Must be a string' });
  }
  if (model !== undefined && !Array.isArray(model)) {
    faults.push({ pointer: '/model', detail: 'Must be an array, of what the model answers in order' });
  }
  if (faults.length + json.repeated.length > 0) throw invalidScript(json, faults);
  return {
    answers,
    customer,
    context,
    ...(typeof locale === 'string' && { locale }),
    ...(Array.isArray(model) && { model }),
  };
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

function invalidScript({ file, repeated, place }: JsonFile, faults: Fault[]): Failure {
  const all = [...repeated, ...faults.map(place)];
  return new Failure(`${file} is not a valid script`, { type: 'invalid-script', faults: all });
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
