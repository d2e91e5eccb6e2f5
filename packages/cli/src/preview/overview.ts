import type { BotDefinition } from '@parley/bot/definition';
import { outlineOf, type OutlineStep } from '@parley/bot/outline';
import type { BotFile } from '../bot-file.ts';
import type { Failure } from '../failure.ts';
import { modelHint } from '../model-line.ts';
import type { PreviewConversation } from '@parley/bot/preview-conversation';

interface Shown {
  name: string;
  value: string;
}

/** The content of the page beside the conversation. */
export interface Overview {
  file: string;
  /** The address of the conversation; null before the first valid definition. */
  link: string | null;
  bot: { key: string; name: string; type: string; steps: number } | null;
  status: string;
  /** The current question. */
  stepId: string | null;
  /** The step that waits for the model, and its valid answers. */
  model: { stepId: string; prompt: string; hint: string } | null;
  context: Shown[];
  answers: Shown[];
  evaluation: Shown[];
  /** Steps that failed without a model. */
  notes: string[];
  /** The steps with the ways between them. */
  map: OutlineStep[];
  /** Warnings about the file. */
  warnings: PlacedFault[];
  /** The faults of the file. The conversation is with its last valid definition. */
  problem: { message: string; faults: PlacedFault[] } | null;
}

interface PlacedFault {
  pointer: string;
  detail: string;
  at: string;
  frame: string;
}

/** Returns the content of the page. */
export function overviewOf(
  file: string,
  conversation: PreviewConversation | undefined,
  problem: Failure | undefined,
  warnings: BotFile['warnings'],
): Overview {
  const { turn, awaiting, definition } = conversation ?? {};
  return {
    file,
    link: conversation ? `/interactions/${conversation.id}` : null,
    bot: definition ? botOf(definition) : null,
    status: conversation?.status ?? '',
    stepId: turn?.state.stepId ?? null,
    model: awaiting ? { stepId: awaiting.id, prompt: awaiting.prompt, hint: modelHint(awaiting) } : null,
    context: shown(conversation?.context),
    answers: shown(turn?.state.answers),
    evaluation: shown(turn?.evaluation),
    notes: conversation?.notes ?? [],
    map: definition ? outlineOf(definition) : [],
    warnings: placed(warnings),
    problem: problem ? { message: problem.message, faults: placed(problem.faults ?? []) } : null,
  };
}

function botOf({ key, name, type, steps }: BotDefinition): Overview['bot'] {
  return { key, name, type, steps: steps.length };
}

function shown(values: Record<string, unknown> = {}): Shown[] {
  return Object.entries(values).map(([name, value]) => {
    return { name, value: Array.isArray(value) ? value.join(', ') : String(value) };
  });
}

function placed(faults: NonNullable<Failure['faults']>): PlacedFault[] {
  return faults.flatMap((fault) => {
    if (!('place' in fault)) return [];
    const { pointer, detail, place } = fault;
    return [{ pointer, detail, at: `line ${place.line}, column ${place.column}`, frame: place.frame }];
  });
}
