import { evaluationText } from './answer-forms.ts';
import type { CelFacts } from './cel.ts';
import { bodyCharsMax } from './check-value.ts';
import type { Turn } from './conversation.ts';
import type { AskStep, LlmStep, LocalText, Next, SetStep } from './format.ts';
import { forget, put } from './outputs.ts';
import { passingStepsMax } from './path-faults.ts';
import { type Plan, progressAt } from './plan.ts';
import { question } from './question.ts';
import { fits, jsonBytes } from './conversation-size.ts';
import { factsOf, say, type Talk, writeEntry } from './talk.ts';
import { localText, type Rendered, shorten } from './template.ts';

/** How often the model is asked in one talk. */
const modelTurnsMax = 20;
const closing: LocalText = {
  en: 'This conversation has reached its maximum length and ends here. Thank you!',
  de: 'Dieses Gespräch hat seine maximale Länge erreicht und endet hier. Vielen Dank!',
  fr: 'Cette conversation a atteint sa longueur maximale et se termine ici. Merci !',
  es: 'Esta conversación ha alcanzado su longitud máxima y termina aquí. ¡Gracias!',
  ar: 'بلغت هذه المحادثة الحد الأقصى لطولها وتنتهي هنا. شكرًا لك!',
};

/**
 * Runs the steps from `index` until one asks, waits for the model or ends. Closes a conversation that could outgrow 500
 * entries or `conversationBytesMax`, or that runs through more than 100 steps without a question.
 */
export function walk(talk: Talk, index: number): Turn {
  const { plan } = talk;
  let facts = factsOf(talk);
  let at = index;
  for (let passed = 0; passed <= passingStepsMax; passed += 1) {
    const step = plan.definition.steps[at];
    if (step === undefined) break;
    if (step.when !== undefined && !plan.scope.holds(step.when, facts)) {
      at += 1;
      continue;
    }
    if (step.kind === 'end') {
      if (step.text !== undefined) say(talk, step.text);
      return endedTurn(talk);
    }
    if (step.kind === 'ask') return ask(talk, step.id, step.text);
    if (step.kind === 'llm') {
      forget(talk.state, step);
      const waiting = step.mode === 'chat' ? openChat(talk, step) : awaitModel(talk, step);
      if (waiting !== undefined) return waiting;
      facts = factsOf(talk);
      at = indexOf(plan, step.onError.goto);
      continue;
    }
    if (step.kind === 'say') {
      if (!fits(talk.state, 2)) break;
      say(talk, step.text);
    }
    if (step.kind === 'set' && !setEvaluation(talk, step, facts)) break;
    at = follow(plan, step.next, at, facts);
  }
  return close(talk);
}

/** Goes on from a question that was answered, skipped or given up: to `next`, by default the step's own. */
export function goOn(talk: Talk, step: AskStep | LlmStep, next: Next | undefined = step.next): Turn {
  talk.state.stepId = null;
  talk.state.answeredCount += 1;
  return leave(talk, step, next);
}

/** Goes on from a step without counting a question: to `next`, by default the step's own. */
export function leave(talk: Talk, step: AskStep | LlmStep, next: Next | undefined = step.next): Turn {
  const { plan } = talk;
  return walk(talk, follow(plan, next, plan.indexes.get(step.id) ?? 0, factsOf(talk)));
}

/** Puts a question, or puts the current one again with other words, and waits. */
export function ask(talk: Talk, stepId: string, text: LocalText): Turn {
  // The question, its answer and a closing must fit.
  if (!fits(talk.state, 3)) return close(talk);
  const { plan, state, now } = talk;
  if (state.stepId !== stepId) {
    state.stepId = stepId;
    state.retryCount = 0;
  }
  say(talk, text);
  // Who follows the talk by the numbers of its entries has to see that something is asked now.
  if (talk.entries.length === 0) writeEntry(talk, 'bot', { body: '…', personal: [] });
  return { ...waitingTurn(talk, stepId), input: question(plan, state, now) };
}

/** Waits for the model; undefined when there is none to ask, or it was asked often enough. */
export function awaitModel(talk: Talk, { id: stepId }: LlmStep): Turn | undefined {
  const { state } = talk;
  const asked = state.modelTurns ?? 0;
  if (!talk.hasModel || asked >= modelTurnsMax) return undefined;
  state.stepId = null;
  state.awaiting = { stepId };
  state.modelTurns = asked + 1;
  return waitingTurn(talk, stepId);
}

/** The bot says what the model has said, and waits for the customer. */
export function goOnChatting(talk: Talk, step: LlmStep, reply: Rendered): Turn {
  // What the customer says, what the model says to that and a closing must fit.
  if (!fits(talk.state, 4)) return close(talk);
  const { plan, state, now } = talk;
  writeEntry(talk, 'bot', reply);
  state.stepId = step.id;
  state.retryCount = 0;
  return { ...waitingTurn(talk, step.id), input: question(plan, state, now) };
}

function openChat(talk: Talk, step: LlmStep): Turn | undefined {
  const waiting = awaitModel(talk, step);
  if (waiting !== undefined) talk.state.chat = { fromSeq: talk.state.seq, turns: 0 };
  return waiting;
}

function waitingTurn(talk: Talk, stepId: string): Turn {
  const { plan, state, entries } = talk;
  const progress = progressAt(plan, indexOf(plan, stepId), state.answeredCount);
  return { state, entries, input: null, progress, evaluation: evaluationOf(talk), ended: false };
}

/** Ends a conversation that would become too large. The last entry says so. */
export function close(talk: Talk): Turn {
  const body = localText(closing, talk.state.locale, talk.plan.locale);
  writeEntry(talk, 'bot', { body, personal: [] });
  return endedTurn(talk);
}

function endedTurn(talk: Talk): Turn {
  const { state, entries } = talk;
  state.stepId = null;
  delete state.chat;
  return { state, entries, input: null, progress: 1, evaluation: evaluationOf(talk), ended: true };
}

// In the order of the definition, however the talk went.
function evaluationOf({ plan, state }: Talk): Record<string, string> {
  const keys = Object.keys(plan.definition.evaluation ?? {}).filter((key) =>
    Object.hasOwn(state.evaluation, key),
  );
  return Object.fromEntries(keys.map((key) => [key, state.evaluation[key] ?? '']));
}

/** Returns false when the values of the step do not fit into the conversation. */
function setEvaluation({ plan, state }: Talk, step: SetStep, facts: CelFacts): boolean {
  for (const [key, expression] of Object.entries(step.evaluation)) {
    const value = plan.scope.value(expression, facts);
    const isNone = value === undefined || (typeof value === 'number' && !Number.isFinite(value));
    const text = isNone ? undefined : shorten(evaluationText(value), bodyCharsMax);
    if (!fits(state, 1, jsonBytes(text))) return false;
    put(state, 'evaluation', key, text);
  }
  return true;
}

function follow(plan: Plan, next: Next | undefined, from: number, facts: CelFacts): number {
  if (next === undefined) return from + 1;
  return indexOf(plan, typeof next === 'string' ? next : chosenArm(plan, next, facts));
}

function indexOf(plan: Plan, id: string): number {
  return plan.indexes.get(id) ?? Number.POSITIVE_INFINITY;
}

function chosenArm(plan: Plan, arms: Exclude<Next, string>, facts: CelFacts): string {
  for (const arm of arms) {
    if ('else' in arm) return arm.else;
    if (plan.scope.holds(arm.if, facts)) return arm.goto;
  }
  return '';
}
