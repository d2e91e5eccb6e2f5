import type { PreviewConversation } from '@parley/bot/preview-conversation';

export interface NamedText {
  name: string;
  value: string;
}

export interface PreviewState {
  status: PreviewConversation['status'];
  stepId: string | null;
  context: NamedText[];
  answers: NamedText[];
  evaluation: NamedText[];
  /** The steps that failed without a model. */
  notes: readonly string[];
}

export function previewState({ status, turn, context, notes }: PreviewConversation): PreviewState {
  return {
    status,
    stepId: turn?.state.stepId ?? null,
    context: textsOf(context),
    answers: textsOf(turn?.state.answers),
    evaluation: textsOf(turn?.evaluation),
    notes,
  };
}

function textsOf(values: Record<string, unknown> = {}): NamedText[] {
  return Object.entries(values).map(([name, value]) => ({
    name,
    value: Array.isArray(value) ? value.join(', ') : String(value),
  }));
}
