import type { BotDefinition } from '@parley/bot/definition';
import { outlineOf, type OutlineStep } from '@parley/bot/outline';
import { type PreviewState, previewState } from '@parley/report/preview';
import type { BotFile } from '../files/bot-file.ts';
import type { Failure } from '../failure.ts';
import { modelHint } from '../conversation/model-line.ts';
import type { PreviewConversation } from '@parley/bot/preview-conversation';

/** The content of the page beside the conversation. */
export interface Overview extends Omit<PreviewState, 'status'> {
  file: string;
  /** The address of the conversation; null before the first valid definition. */
  link: string | null;
  bot: { key: string; name: string; type: string; steps: number } | null;
  /** Empty before the first valid definition. */
  status: PreviewState['status'] | '';
  /** The step that waits for the model, and its valid answers. */
  model: { stepId: string; prompt: string; hint: string } | null;
  map: OutlineStep[];
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

const nothing = { status: '' as const, stepId: null, context: [], answers: [], evaluation: [], notes: [] };

export function overviewOf(
  file: string,
  conversation: PreviewConversation | undefined,
  problem: Failure | undefined,
  warnings: BotFile['warnings'],
): Overview {
  const { awaiting, definition } = conversation ?? {};
  return {
    file,
    link: conversation ? `/interactions/${conversation.id}` : null,
    bot: definition ? botOf(definition) : null,
    ...(conversation ? previewState(conversation) : nothing),
    model: awaiting ? { stepId: awaiting.id, prompt: awaiting.prompt, hint: modelHint(awaiting) } : null,
    map: definition ? outlineOf(definition) : [],
    warnings: placed(warnings),
    problem: problem ? { message: problem.message, faults: placed(problem.faults ?? []) } : null,
  };
}

function botOf({ key, name, type, steps }: BotDefinition): Overview['bot'] {
  return { key, name, type, steps: steps.length };
}

function placed(faults: NonNullable<Failure['faults']>): PlacedFault[] {
  return faults.flatMap((fault) => {
    if (!('place' in fault)) return [];
    const { pointer, detail, place } = fault;
    return [{ pointer, detail, at: `line ${place.line}, column ${place.column}`, frame: place.frame }];
  });
}
