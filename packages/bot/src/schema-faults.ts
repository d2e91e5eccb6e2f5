import type { Fault } from '@parley/runtime/errors';
import { faultMessage, zodFaults } from '@parley/runtime/zod-faults';
import { type BotDefinition, botDefinition, type Step } from './format.ts';

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

/** Checks the input against the schema. Returns the definition if it matches, all faults, and the parts that match. */
export function schemaFaults(input: unknown): {
  definition: BotDefinition | undefined;
  parts: ValidParts;
  faults: Fault[];
} {
  const { data, error } = botDefinition.safeParse(input, { error: faultMessage });
  return { definition: data, faults: error ? zodFaults(error) : [], parts: validParts(input) };
}

function validParts(input: unknown): ValidParts {
  const { shape } = botDefinition;
  const given = isRecord(input) ? input : {};
  const locale = shape.locale.safeParse(given['locale']);
  const context = shape.context.safeParse(given['context']);
  const evaluation = shape.evaluation.safeParse(given['evaluation']);
  const list: unknown[] = Array.isArray(given['steps']) ? given['steps'] : [];
  const ids: ValidParts['ids'] = [];
  const steps = list.flatMap((value, index) => {
    const pointer = `/steps/${index}`;
    if (isRecord(value) && typeof value['id'] === 'string') {
      const { id, saveAs } = value;
      ids.push({ id, pointer, ...(typeof saveAs === 'string' && { saveAs }) });
    }
    const step = shape.steps.element.safeParse(value).data;
    return step === undefined ? [] : [{ step, pointer }];
  });
  return {
    locale: locale.success ? (locale.data ?? 'en') : undefined,
    context: context.success ? (context.data ?? []).map(({ name }) => name) : undefined,
    evaluation: evaluation.success ? Object.keys(evaluation.data ?? {}) : undefined,
    steps,
    ids,
    complete: list.length > 0 && steps.length === list.length,
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
