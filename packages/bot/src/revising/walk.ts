import type { ConversationState, PathStep, Turn } from '../plan/conversation.ts';
import type { Slices } from '../bounds/slices.ts';
import type { LlmStep } from '../definition/format.ts';
import { outputsOf, storeOutput } from '../plan/outputs.ts';
import type { Plan } from '../plan/plan.ts';
import { type Conversation, openConversation, resumeConversation } from '../engine/open-conversation.ts';
import { promptData } from '../engine/path.ts';
import { abandon, skip, take } from '../engine/settle.ts';
import { continueAfter, continueOnError, finishQuestion, runSteps } from '../engine/run-steps.ts';
import { endStep, showStep } from '../engine/shown-steps.ts';
import { storeFound } from '../model/model-answer.ts';

type Said = Turn['entries'];

/** A walk through a definition with what is known of a conversation. */
export interface Walk {
  /** At the first question without an answer, the first model without a result, or the end. */
  turn: Turn;
  /** What was said up to there; no answer, and nothing of a chat. */
  said: Said;
  /** The steps behind `turn` that the path comes to if its question is skipped, and what is said before them. */
  waiting: PathStep[];
  saidLater: Said;
  /** The steps that the walk does not come to. */
  left: PathStep[];
}

/**
 * Walks the path of a conversation again, from its start, with these steps in their order. Each question takes the
 * first answer of its step that is left, each step of the model the first result for the same values of its prompt.
 * Pure. A slice settles one step.
 */
export function* walk(
  plan: Plan,
  former: ConversationState,
  steps: readonly PathStep[],
  { now, hasModel }: { now: number; hasModel: boolean },
): Slices<Walk> {
  const left = [...steps];
  const resultAt = (step: LlmStep, state: ConversationState): number => {
    const data = JSON.stringify(promptData(plan, state, step));
    return left.findIndex(
      ({ id, result }) => id === step.id && result && JSON.stringify(result.data) === data,
    );
  };
  const begun = openConversation(plan, former, now, hasModel);
  const knowing = (conversation: Conversation): Conversation => {
    return Object.assign(conversation, {
      hasResult: (step: LlmStep) => resultAt(step, conversation.state) >= 0,
    });
  };
  let turn = runSteps(knowing(begun), 0);
  const said = [...turn.entries];
  for (;;) {
    const { awaiting, stepId } = turn.state;
    const llm = awaiting && plan.llms.get(awaiting.stepId);
    const at = llm ? resultAt(llm, turn.state) : left.findIndex(({ id }) => id === stepId);
    const [step] = at < 0 ? [] : left.splice(at, 1);
    if (step === undefined) break;
    turn = settle(plan, knowing(resumeConversation(plan, turn.state, now, hasModel)), step);
    said.push(...spoken(turn));
    yield;
  }
  return { turn, said, ...(yield* walkOn(plan, turn, left, now)) };
}

/** Walks on behind the first gap as if its question was skipped, to see which answers the path may come to. */
function* walkOn(
  plan: Plan,
  turn: Turn,
  steps: readonly PathStep[],
  now: number,
): Slices<Pick<Walk, 'waiting' | 'saidLater' | 'left'>> {
  const left = steps.filter(({ id }) => id !== turn.state.awaiting?.stepId);
  const waiting: PathStep[] = [];
  const saidLater: Said = [];
  const guessed = new Set<string>();
  let saidSince: Said = [];
  let next = turn;
  while (!next.ended && left.some(({ result }) => result === undefined)) {
    const id = next.state.awaiting?.stepId ?? next.state.stepId ?? '';
    const at = left.findIndex((one) => one.id === id);
    const [step] = at < 0 ? [] : left.splice(at, 1);
    if (step === undefined && guessed.has(id)) break;
    if (step === undefined) guessed.add(id);
    else {
      waiting.push(step);
      saidLater.push(...saidSince);
      saidSince = [];
    }
    const conversation = resumeConversation(plan, next.state, now, true);
    next = settle(plan, conversation, step ?? { id });
    saidSince.push(...spoken(next));
    yield;
  }
  const isLeft = (step: PathStep): boolean => !waiting.includes(step);
  return { waiting, saidLater, left: steps.filter(isLeft) };
}

/** Passes the step that the conversation waits at. A step of the model without a result fails. */
function settle(plan: Plan, conversation: Conversation, step: PathStep): Turn {
  const llm = plan.llms.get(step.id);
  const turn = llm ? settleModel(conversation, llm, step) : settleQuestion(plan, conversation, step);
  // As it was recorded first: in this walk, entries have other numbers.
  turn.state.path?.steps.splice(-1, 1, step);
  return turn;
}

function settleQuestion(plan: Plan, conversation: Conversation, step: PathStep): Turn {
  const ask = plan.asks.get(step.id);
  if (ask === undefined) throw new Error(`The definition has no question "${step.id}": not its path`);
  if (step.abandoned) return abandon(conversation, ask);
  return step.value === undefined ? skip(conversation, ask) : take(conversation, ask, step.value);
}

function settleModel(conversation: Conversation, llm: LlmStep, { result }: PathStep): Turn {
  const { state } = conversation;
  delete state.awaiting;
  if (llm.mode !== 'chat') {
    const found = result?.found?.map((value) => value ?? undefined);
    return found ? storeFound(conversation, llm, found) : continueOnError(conversation, llm);
  }
  const { chat } = result ?? {};
  if (result === undefined || chat === undefined) return continueOnError(conversation, llm);
  state.modelTurns = (state.modelTurns ?? 1) - 1 + chat.asked;
  const next = result.found ? llm.next : llm.onError.goto;
  state.path?.steps.push({ id: llm.id });
  delete state.chat;
  if (chat.turns === 0) return continueAfter(conversation, llm, next);
  showStep(state, llm.id);
  endStep(state, llm.id, 'answered');
  for (const output of outputsOf(llm)) storeOutput(state, output, chat.said);
  return finishQuestion(conversation, llm, next);
}

/** Returns what the bot says in a turn. The entries of answers exist already. */
function spoken({ entries }: Turn): Said {
  return entries.filter(({ type }) => type === 'bot');
}
