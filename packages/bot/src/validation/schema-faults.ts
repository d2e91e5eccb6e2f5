import { isJsonObject } from '@parley/runtime/json/json-object';
import type { Fault } from '@parley/runtime/errors';
import { faultMessage, faultsMax, zodFaults } from '@parley/runtime/zod-faults';
import { z } from 'zod';
import { type BotDefinition, botDefinition, itemsMax, type Step } from '../definition/format.ts';
import type { Slices } from '../bounds/slices.ts';

/** The parts of a definition that match the schema. `undefined` names could not be read. */
export type ValidParts = {
  locale: string | undefined;
  context: string[] | undefined;
  evaluation: string[] | undefined;
  steps: { step: Step; pointer: string }[];
  /** The position of each id, of faulty steps too, and the name under which such a step may save. */
  ids: { id: string; pointer: string; saveAs?: string }[];
  /** Whether every step is among `steps`. */
  complete: boolean;
};

const { shape } = botDefinition;
const outline = botDefinition.extend({ steps: z.array(z.unknown()).min(1).max(itemsMax) });

/**
 * Checks the input against the schema. Returns the definition if it matches, its faults, and the parts that match.
 * Checks no further steps when there are `faultsMax` faults.
 */
export function* schemaFaults(
  input: unknown,
): Slices<{ definition: BotDefinition | undefined; parts: ValidParts; faults: Fault[] }> {
  const given = isJsonObject(input) ? input : {};
  const { data, error } = outline.safeParse(input, { error: faultMessage });
  const faults = error ? zodFaults(error) : [];
  const list: unknown[] = Array.isArray(given['steps']) ? given['steps'] : [];
  const ids: ValidParts['ids'] = [];
  const steps: ValidParts['steps'] = [];
  for (const [index, value] of list.entries()) {
    if (faults.length >= faultsMax) break;
    yield;
    const pointer = `/steps/${index}`;
    if (isJsonObject(value) && typeof value['id'] === 'string') {
      const { id, saveAs } = value;
      ids.push({ id, pointer, ...(typeof saveAs === 'string' && { saveAs }) });
    }
    const { data: step, error: stepError } = shape.steps.element.safeParse(value, { error: faultMessage });
    if (step !== undefined) steps.push({ step, pointer });
    if (stepError) faults.push(...zodFaults(stepError, ['steps', index]));
  }
  const definition =
    data && faults.length === 0 ? { ...data, steps: steps.map(({ step }) => step) } : undefined;
  const complete = list.length > 0 && steps.length === list.length;
  return { definition, parts: { ...partsOf(given), steps, ids, complete }, faults };
}

function partsOf(given: Record<string, unknown>): Pick<ValidParts, 'locale' | 'context' | 'evaluation'> {
  const locale = shape.locale.safeParse(given['locale']);
  const context = shape.context.safeParse(given['context']);
  const evaluation = shape.evaluation.safeParse(given['evaluation']);
  return {
    locale: locale.success ? (locale.data ?? 'en') : undefined,
    context: context.success ? (context.data ?? []).map(({ name }) => name) : undefined,
    evaluation: evaluation.success ? Object.keys(evaluation.data ?? {}) : undefined,
  };
}
