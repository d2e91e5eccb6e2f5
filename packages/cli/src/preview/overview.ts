import { planOf } from '@parley/bot/plan';
import type { FaultInFile } from '../failure.ts';
import { modelHint } from '../model-line.ts';
import type { PreviewTalk } from './preview-talk.ts';

/** A value, and whether anonymising would take it away. */
interface Shown {
  name: string;
  value: string;
  isPersonal: boolean;
}

/** What the page shows beside the talk. */
export interface Overview {
  file: string;
  /** Where the talk is; null before there was a valid definition. */
  link: string | null;
  bot: { key: string; name: string; type: string; steps: number } | null;
  status: string;
  /** The step that waits for the customer. */
  stepId: string | null;
  /** The step that waits for whoever plays the model, and what it takes. */
  model: { stepId: string; prompt: string; hint: string } | null;
  progress: number;
  entryCount: number;
  context: Shown[];
  answers: Shown[];
  evaluation: Shown[];
  /** Steps that went on elsewhere for want of a model. */
  notes: string[];
  /** What is wrong with the file as it is now; the talk is that of the last valid one. */
  problem: {
    message: string;
    faults: { pointer: string; detail: string; at: string; frame: string }[];
  } | null;
}

/** What is wrong with a file. */
export interface Problem {
  message: string;
  faults: FaultInFile[];
}

/** The talk as the author sees it. */
export function overviewOf(
  file: string,
  talk: PreviewTalk | undefined,
  problem: Problem | undefined,
): Overview {
  const turn = talk?.turn();
  const { key, name, type, steps } = talk?.definition ?? {};
  const asking = talk?.awaiting();
  const bot = talk && key && name && type && steps ? { key, name, type, steps: steps.length } : null;
  return {
    file,
    link: talk ? `/interactions/${talk.token}` : null,
    bot,
    status: talk?.status() ?? '',
    stepId: turn?.state.stepId ?? null,
    model: asking ? { stepId: asking.id, prompt: asking.prompt, hint: modelHint(asking) } : null,
    progress: turn?.progress ?? 0,
    entryCount: turn?.state.seq ?? 0,
    context: shown(turn?.state.context ?? {}, new Set()),
    answers: shown(turn?.state.answers ?? {}, talk && planOf(talk.definition).personalAnswers),
    evaluation: shown(turn?.evaluation ?? {}, talk && planOf(talk.definition).personalKeys),
    notes: talk?.notes ?? [],
    problem: problem ? { message: problem.message, faults: problem.faults.map(faultShown) } : null,
  };
}

function shown(values: Record<string, unknown>, personal: ReadonlySet<string> = new Set()): Shown[] {
  return Object.entries(values).map(([name, value]) => {
    return {
      name,
      value: Array.isArray(value) ? value.join(', ') : String(value),
      isPersonal: personal.has(name),
    };
  });
}

function faultShown({ pointer, detail, place: { line, column, frame } }: FaultInFile) {
  return { pointer, detail, at: `line ${line}, column ${column}`, frame };
}
