import type { EvaluationKey, Questions, QuestionStep } from '@parley/bot/questions';

export type StepOutline = QuestionStep & {
  /** When the first version with the step was published, in ISO 8601. */
  since: string;
};

/** Rises when an outline of the same version has something else. */
export const outlineForm = 2;

/** What a version of a bot asks, and what only older versions have asked. */
export interface Outline {
  /** `outlineForm`: an outline of another form is made again. */
  form: number;
  /** In the order of the version. */
  steps: StepOutline[];
  /** The newest first, as the newest version with the step has it. */
  olderSteps: StepOutline[];
  /** In the order of the version. */
  keys: EvaluationKey[];
  /** The newest first, as the newest version with the key has it. */
  olderKeys: EvaluationKey[];
}

/** How many older steps, and how many older keys, an outline has: it is read with every insight. */
const olderMax = 500;

/** The outline before the first version. */
export const emptyOutline: Outline = {
  form: outlineForm,
  steps: [],
  olderSteps: [],
  keys: [],
  olderKeys: [],
};

/** Returns the outline of the version that follows `before`. */
export function nextOutline(before: Outline, { steps, evaluation }: Questions, publishedAt: Date): Outline {
  const knownSteps = [...before.steps, ...before.olderSteps];
  const since = new Map(knownSteps.map((step) => [step.id, step.since]));
  const stepIds = new Set(steps.map(({ id }) => id));
  const keys = new Set(evaluation.map(({ key }) => key));
  return {
    form: outlineForm,
    steps: steps.map(({ text, ...step }) => ({
      ...step,
      text: text === null ? null : storable(text),
      since: since.get(step.id) ?? publishedAt.toISOString(),
    })),
    olderSteps: knownSteps.filter(({ id }) => !stepIds.has(id)).slice(0, olderMax),
    keys: evaluation,
    olderKeys: [...before.keys, ...before.olderKeys].filter(({ key }) => !keys.has(key)).slice(0, olderMax),
  };
}

/** Returns what the figures of a bot have. The figures of one version have only what that version asks. */
export function questionsIn(
  { steps, olderSteps, keys, olderKeys }: Outline,
  isOneVersion: boolean,
): Pick<Outline, 'steps' | 'keys'> {
  if (isOneVersion) return { steps, keys };
  return { steps: [...steps, ...olderSteps], keys: [...keys, ...olderKeys] };
}

/** Postgres rejects U+0000 and malformed Unicode. */
function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '');
}
