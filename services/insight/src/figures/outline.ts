import type { EvaluationKey, Questions, QuestionStep } from '@parley/bot/questions';

export type StepOutline = QuestionStep & {
  /** When the first version with the step was published, in ISO 8601. */
  since: string;
};

/** Rises when an outline of the same version has something else. */
export const outlineForm = 3;

/** The steps and questions of one version. `stepIds`: of all its steps, in its order. */
export type VersionQuestions = Questions & { stepIds: string[] };

/** What a version of a bot asks, and what only older versions have asked. */
export interface Outline {
  /** `outlineForm`: an outline of another form is made again. */
  form: number;
  /** In the order of the version. */
  steps: StepOutline[];
  /** The newest first, as the newest version with the step has it. */
  olderSteps: StepOutline[];
  /** The ids of all steps, in the order of the version. */
  stepIds: string[];
  /** The newest first. */
  olderStepIds: string[];
  /** In the order of the version. */
  keys: EvaluationKey[];
  /** The newest first, as the newest version with the key has it. */
  olderKeys: EvaluationKey[];
}

/** How many older steps, ids and keys an outline has: it is read with every insight. */
const olderMax = 500;

/** The outline before the first version. */
export const emptyOutline: Outline = {
  form: outlineForm,
  steps: [],
  olderSteps: [],
  stepIds: [],
  olderStepIds: [],
  keys: [],
  olderKeys: [],
};

/** Returns the outline of the version that follows `before`. */
export function nextOutline(
  before: Outline,
  { steps, stepIds, evaluation }: VersionQuestions,
  publishedAt: Date,
): Outline {
  const knownSteps = [...before.steps, ...before.olderSteps];
  const since = new Map(knownSteps.map((step) => [step.id, step.since]));
  const questionIds = new Set(steps.map(({ id }) => id));
  const ids = new Set(stepIds);
  const keys = new Set(evaluation.map(({ key }) => key));
  return {
    form: outlineForm,
    steps: steps.map(({ text, ...step }) => ({
      ...step,
      text: text === null ? null : storable(text),
      since: since.get(step.id) ?? publishedAt.toISOString(),
    })),
    olderSteps: knownSteps.filter(({ id }) => !questionIds.has(id)).slice(0, olderMax),
    stepIds,
    olderStepIds: [...before.stepIds, ...before.olderStepIds].filter((id) => !ids.has(id)).slice(0, olderMax),
    keys: evaluation,
    olderKeys: [...before.keys, ...before.olderKeys].filter(({ key }) => !keys.has(key)).slice(0, olderMax),
  };
}

/** Returns what the figures of a bot have. The figures of one version have only what that version asks. */
export function questionsIn(
  { steps, olderSteps, stepIds, olderStepIds, keys, olderKeys }: Outline,
  isOneVersion: boolean,
): Pick<Outline, 'steps' | 'stepIds' | 'keys'> {
  if (isOneVersion) return { steps, stepIds, keys };
  return {
    steps: [...steps, ...olderSteps],
    stepIds: [...stepIds, ...olderStepIds],
    keys: [...keys, ...olderKeys],
  };
}

/** Postgres rejects U+0000 and malformed Unicode. */
function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '');
}
