import { evaluationText } from '../questions/parts/values.ts';
import type { CelBindings } from '../expressions/cel-types.ts';
import { bodyCharsMax } from '../text/clean-text.ts';
import type { Turn } from '../plan/conversation.ts';
import type { AskStep, LlmStep, LocalText, Next, SetStep } from '../definition/format.ts';
import { clearOutputs, setValue } from '../plan/outputs.ts';
import { stepsPerTurnMax } from '../bounds/turn-budget.ts';
import { type Plan, progressAt } from '../plan/plan.ts';
import { question } from './question.ts';
import { hasRoomFor, jsonBytes } from '../plan/conversation-size.ts';
import { bindingsOf, sayText, type Conversation, writeEntry } from './open-conversation.ts';
import { recordResult } from './path.ts';
import { showStep } from './shown-steps.ts';
import { takeWay } from './ways.ts';
import { localText, type Rendered, shorten } from '../text/template.ts';

const modelTurnsMax = 20;
/** What the bot says when a conversation has become too large. */
export const closing: LocalText = {
  en: 'This conversation has reached its maximum length and ends here. Thank you!',
  de: 'Dieses Gespräch hat seine maximale Länge erreicht und endet hier. Vielen Dank!',
  fr: 'Cette conversation a atteint sa longueur maximale et se termine ici. Merci !',
  es: 'Esta conversación ha alcanzado su longitud máxima y termina aquí. ¡Gracias!',
  ar: 'بلغت هذه المحادثة الحد الأقصى لطولها وتنتهي هنا. شكرًا لك!',
};

/**
 * Runs the steps from `index` until one asks, waits for the model or ends. Closes a conversation that could exceed 500
 * entries, `conversationBytesMax`, or 100 steps without a question.
 */
export function runSteps(conversation: Conversation, index: number): Turn {
  const { plan, budget } = conversation;
  let bindings = bindingsOf(conversation);
  let at = index;
  for (let passed = 0; passed <= stepsPerTurnMax; passed += 1) {
    const step = plan.definition.steps[at];
    if (step === undefined) break;
    if (step.when !== undefined && !plan.expressions.holds(step.when, bindings, budget)) {
      at = goTo(conversation, at, at + 1);
      continue;
    }
    if (step.kind === 'end') {
      if (step.text !== undefined) sayText(conversation, step.text);
      return endedTurn(conversation, step.id);
    }
    if (step.kind === 'ask') return askQuestion(conversation, step.id, step.text);
    if (step.kind === 'llm') {
      const { bytes } = conversation.state;
      clearOutputs(conversation.state, step);
      const waiting = step.mode === 'chat' ? startChat(conversation, step) : awaitModel(conversation, step);
      if (waiting !== undefined) return waiting;
      // A hundred such steps may run, and most have nothing to clear.
      if (conversation.state.bytes !== bytes) {
        bindings = bindingsOf(conversation);
        conversation.referents.clear();
      }
      at = goTo(conversation, at, indexOf(plan, step.onError.goto));
      continue;
    }
    if (step.kind === 'say') {
      if (!hasRoomFor(conversation.state, 2)) break;
      sayText(conversation, step.text);
    }
    if (step.kind === 'set') {
      if (!setEvaluation(conversation, step, bindings)) break;
      bindings = { ...bindings, evaluation: new Map(Object.entries(conversation.state.evaluation)) };
      conversation.referents.clear();
    }
    at = follow(conversation, step.next, at, bindings);
  }
  return closeConversation(conversation);
}

/**
 * Ends a question that was answered, skipped or abandoned, and continues at `next`, by default the step's
 * own.
 */
export function finishQuestion(
  conversation: Conversation,
  step: AskStep | LlmStep,
  next: Next | undefined = step.next,
): Turn {
  conversation.state.stepId = null;
  conversation.state.answeredCount += 1;
  return continueAfter(conversation, step, next);
}

/** Continues at `next`, by default the `next` of the step, without counting a question. */
export function continueAfter(
  conversation: Conversation,
  step: AskStep | LlmStep,
  next: Next | undefined = step.next,
): Turn {
  const { plan } = conversation;
  const at = plan.indexes.get(step.id) ?? 0;
  return runSteps(conversation, follow(conversation, next, at, bindingsOf(conversation)));
}

/** Asks a question, or repeats the current one with another text. */
export function askQuestion(conversation: Conversation, stepId: string, text: LocalText): Turn {
  // The question, its answer and a closing entry must fit.
  if (!hasRoomFor(conversation.state, 3)) return closeConversation(conversation);
  const { plan, state, now } = conversation;
  if (state.stepId !== stepId) {
    state.stepId = stepId;
    state.retryCount = 0;
    delete state.path?.attemptsFrom;
  }
  showStep(state, stepId);
  sayText(conversation, text);
  // Clients that poll by `seq` must see that there is a new question.
  if (conversation.entries.length === 0) writeEntry(conversation, 'bot', { body: '…', personal: [] });
  return { ...waitingTurn(conversation, stepId), input: question(plan, state, now) };
}

/** Continues at the step's `onError`. Messages of the customer in a chat stay stored. */
export function continueOnError(conversation: Conversation, step: LlmStep): Turn {
  const { state } = conversation;
  const wasTalkedTo = (state.chat?.turns ?? 0) > 0;
  recordResult(conversation, step, undefined);
  delete state.chat;
  if (wasTalkedTo) return finishQuestion(conversation, step, step.onError.goto);
  clearOutputs(state, step);
  return continueAfter(conversation, step, step.onError.goto);
}

/**
 * Waits for the model. Returns undefined without a model, or when the conversation has no question to it
 * left.
 */
export function awaitModel(conversation: Conversation, step: LlmStep): Turn | undefined {
  const { state } = conversation;
  const { id: stepId } = step;
  const asked = state.modelTurns ?? 0;
  const mayWait = conversation.hasModel || conversation.hasResult?.(step) === true;
  if (!mayWait || asked >= modelTurnsMax) return undefined;
  state.stepId = null;
  state.awaiting = { stepId };
  state.modelTurns = asked + 1;
  return waitingTurn(conversation, stepId);
}

export function continueChat(conversation: Conversation, step: LlmStep, reply: Rendered): Turn {
  // This reply, the customer's message, the next reply and a closing entry must fit.
  if (!hasRoomFor(conversation.state, 4)) return closeConversation(conversation);
  const { plan, state, now } = conversation;
  writeEntry(conversation, 'bot', reply);
  showStep(state, step.id);
  state.stepId = step.id;
  state.retryCount = 0;
  return { ...waitingTurn(conversation, step.id), input: question(plan, state, now) };
}

function startChat(conversation: Conversation, step: LlmStep): Turn | undefined {
  const waiting = awaitModel(conversation, step);
  if (waiting !== undefined) conversation.state.chat = { fromSeq: conversation.state.seq, turns: 0 };
  return waiting;
}

function waitingTurn(conversation: Conversation, stepId: string): Turn {
  const { plan, state, entries } = conversation;
  const progress = progressAt(plan, indexOf(plan, stepId), state.answeredCount);
  const evaluation = evaluationOf(conversation);
  return { state, entries, input: null, progress, evaluation, ended: false, endStepId: null };
}

/** Ends a conversation that would become too large, with an entry that states it. */
export function closeConversation(conversation: Conversation): Turn {
  const body = localText(closing, conversation.state.locale, conversation.plan.locale);
  writeEntry(conversation, 'bot', { body, personal: [] });
  return endedTurn(conversation, null);
}

function endedTurn(conversation: Conversation, endStepId: string | null): Turn {
  const { state, entries } = conversation;
  state.stepId = null;
  delete state.chat;
  const evaluation = evaluationOf(conversation);
  return { state, entries, input: null, progress: 1, evaluation, ended: true, endStepId };
}

// In the order of the definition.
function evaluationOf({ plan, state }: Conversation): Record<string, string> {
  const keys = Object.keys(plan.definition.evaluation ?? {}).filter((key) =>
    Object.hasOwn(state.evaluation, key),
  );
  return Object.fromEntries(keys.map((key) => [key, state.evaluation[key] ?? '']));
}

/** Writes values computed from those before the step. Returns false when they do not fit into the conversation. */
function setEvaluation({ plan, state, budget }: Conversation, step: SetStep, bindings: CelBindings): boolean {
  for (const [key, expression] of Object.entries(step.evaluation)) {
    const value = plan.expressions.value(expression, bindings, budget);
    const isNone = value === undefined || (typeof value === 'number' && !Number.isFinite(value));
    const text = isNone ? undefined : shorten(evaluationText(value), bodyCharsMax);
    if (!hasRoomFor(state, 1, jsonBytes(text))) return false;
    setValue(state, 'evaluation', key, text);
  }
  return true;
}

function follow(
  conversation: Conversation,
  next: Next | undefined,
  from: number,
  bindings: CelBindings,
): number {
  if (next === undefined) return goTo(conversation, from, from + 1);
  const id = typeof next === 'string' ? next : chosenArm(conversation, next, bindings);
  return goTo(conversation, from, indexOf(conversation.plan, id));
}

/** Returns `to`. No way leads behind the last step. */
function goTo({ plan, state }: Conversation, from: number, to: number): number {
  if (to < plan.definition.steps.length) takeWay(state, from, to);
  return to;
}

function indexOf(plan: Plan, id: string): number {
  return plan.indexes.get(id) ?? Number.POSITIVE_INFINITY;
}

function chosenArm(
  { plan, budget }: Conversation,
  arms: Exclude<Next, string>,
  bindings: CelBindings,
): string {
  for (const arm of arms) {
    if ('else' in arm) return arm.else;
    if (plan.expressions.holds(arm.if, bindings, budget)) return arm.goto;
  }
  return '';
}
