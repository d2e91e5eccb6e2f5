import { conversationLimits } from '@parley/contracts/limits';
import type {
  Answer,
  ConversationPath,
  ConversationState,
  Entry,
  PathStep,
  Turn,
} from '../plan/conversation.ts';
import type { Slices } from '../bounds/slices.ts';
import type { BotDefinition } from '../definition/format.ts';
import { hasRoomFor, jsonBytes } from '../plan/conversation-size.ts';
import { outputsOf } from '../plan/outputs.ts';
import { type Plan, planOf } from '../plan/plan.ts';
import { readRevision } from '../engine/engine.ts';
import { resumeConversation, writeEntry } from '../engine/open-conversation.ts';
import { writeAnswer } from '../engine/settle.ts';
import { reject, type Rejection } from '../questions/refusal.ts';
import { type Walk, walk } from './walk.ts';

export const { revisionsMax } = conversationLimits;

/** A conversation with all its entries, as it is before a turn. */
interface Told {
  state: ConversationState;
  transcript: readonly Entry[];
}

interface Moment {
  now: number;
  hasModel: boolean;
}

/**
 * Changes the answer to a step of the path: the last one in a loop. Walks the path again with it, so conditions, texts
 * and evaluation have current answers only. Returns the turn with the entries to add, and the numbers of those that are
 * withdrawn. Rejects, without any change, an answer that is none, a step without an answer, and a revision for which
 * the conversation has no room. Pure, as `answer` is. A slice settles one step of the path.
 */
export function* revise(
  definition: BotDefinition,
  { state, transcript }: Told,
  event: { stepId: string; answer: Answer } & Moment,
): Slices<Turn | Rejection> {
  const plan = planOf(definition);
  const { path } = state;
  const former = revisableSteps(state).get(event.stepId);
  const ask = plan.asks.get(event.stepId);
  if (!path || !former || !ask) return reject('not-answered', 'This step has no answer to change.');
  const conversation = resumeConversation(plan, state, event.now, event.hasModel);
  const read = readRevision(conversation, ask, event.answer);
  if ('rejected' in read) return read;
  writeAnswer(conversation, ask, read.value);
  const { seq } = conversation.state;
  const changed: PathStep = { id: ask.id, entries: [seq, seq], ...(read.value !== undefined && read) };
  const steps = path.steps.map((step) => (step === former ? changed : step));
  const revisions = (path.revisions ?? 0) + 1;
  const told = { state: conversation.state, transcript: [...transcript, ...conversation.entries] };
  const turn = yield* walkAgain(plan, told, [...steps, ...(path.waiting ?? [])], { ...event, revisions });
  // The next answer and a closing entry must fit.
  if (!hasRoomFor(turn.state, turn.ended ? 0 : 2)) {
    return reject('no-room', 'The conversation is too long for more changes.');
  }
  return { ...turn, entries: [...conversation.entries, ...turn.entries] };
}

/**
 * Returns a turn with the former answers that wait behind the question which it has settled: the conversation continues
 * at the first question without an answer. Other turns are returned as they are.
 */
export function* withWaiting(
  definition: BotDefinition,
  { state, transcript }: Told,
  turn: Turn,
  moment: Moment,
): Slices<Turn> {
  const { path } = turn.state;
  const settled = path?.steps.at(-1);
  if (!path?.waiting || !settled || path.steps.length === state.path?.steps.length) return turn;
  if (turn.ended && turn.endStepId === null) return turn;
  const seq = settled.entries?.[1] ?? state.seq;
  const entries = turn.entries.filter((entry) => entry.seq <= seq);
  const { timestamp: lastTimestamp = state.lastTimestamp } = entries.at(-1) ?? {};
  const told = {
    state: { ...turn.state, seq, lastTimestamp },
    transcript: [...transcript, ...entries],
  };
  const next = yield* walkAgain(planOf(definition), told, [...path.steps, ...path.waiting], moment);
  return { ...next, entries: [...entries, ...next.entries] };
}

/** Returns the entries of a conversation after a turn. */
export function transcriptAfter(transcript: readonly Entry[], { entries, withdrawn }: Turn): Entry[] {
  if (!withdrawn?.length) return [...transcript, ...entries];
  const off = new Set(withdrawn);
  const marked = transcript.map((entry) =>
    off.has(entry.seq) ? { ...entry, withdrawn: true as const } : entry,
  );
  return [...marked, ...entries];
}

/**
 * The steps whose answers can be changed. Of a step in a loop, the last answer. None if the path lacks a question: an
 * earlier release, which does not know paths, has taken an answer.
 */
export function revisableSteps({ path, answeredCount }: ConversationState): Map<string, PathStep> {
  const steps = path?.steps ?? [];
  const isQuestion = ({ result }: PathStep): boolean => result === undefined || (result.chat?.turns ?? 0) > 0;
  if (steps.filter(isQuestion).length !== answeredCount) return new Map();
  const answers = steps.filter(({ abandoned, result }) => !abandoned && result === undefined);
  return new Map(answers.map((step) => [step.id, step]));
}

/** Returns the numbers of the entries whose answers can be changed. */
export function revisableEntries(state: ConversationState): Set<number> {
  const { path } = state;
  if (!path || (path.revisions ?? 0) >= revisionsMax || !hasRoomFor(state, 3)) return new Set();
  return new Set([...revisableSteps(state).values()].flatMap(({ entries }) => entries?.[1] ?? []));
}

function* walkAgain(
  plan: Plan,
  told: Told,
  steps: readonly PathStep[],
  { revisions, ...moment }: Moment & { revisions?: number },
): Slices<Turn> {
  const walked = yield* walk(plan, told.state, steps, moment);
  const { turn } = walked;
  const { added, withdrawn } = compareEntries(walked, told.transcript);
  const former = told.state.path;
  const dropped = [...(former?.steps ?? []), ...(former?.waiting ?? [])].filter(
    (step) => !turn.state.path?.steps.includes(step) && !walked.waiting.includes(step),
  );
  const personal = dropped.filter(({ id }) => isPersonal(plan, id)).map(withoutPrompt);
  const { seq, lastTimestamp } = told.state;
  const state: ConversationState = {
    ...turn.state,
    seq,
    lastTimestamp,
    ...(told.state.activeSeconds !== undefined && { activeSeconds: told.state.activeSeconds }),
    path: pathAfter(former, turn.state.path?.steps ?? [], { waiting: walked.waiting, personal, revisions }),
  };
  state.bytes = bytesOf(state, told.transcript) + 20 * withdrawn.length;
  const conversation = { ...resumeConversation(plan, state, moment.now, moment.hasModel), state };
  for (const { body, personal: spans = [] } of added)
    writeEntry(conversation, 'bot', { body, personal: spans });
  if (withdrawn.length > 0 && state.path) state.path.withdrawnAt = state.seq;
  if (state.chat) state.chat = { ...state.chat, fromSeq: state.seq };
  return { ...turn, state, entries: conversation.entries, withdrawn };
}

function isPersonal({ definition, personalAnswers, personalKeys }: Plan, id: string): boolean {
  const step = definition.steps.find((one) => one.id === id);
  return (step ? outputsOf(step) : []).some(
    ({ name = '', keys }) => personalAnswers.has(name) || keys.some((key) => personalKeys.has(key)),
  );
}

function withoutPrompt({ result, ...step }: PathStep): PathStep {
  return result ? { ...step, result: { ...result, data: {} } } : step;
}

function pathAfter(
  former: ConversationPath | undefined,
  steps: PathStep[],
  {
    waiting,
    personal,
    revisions,
  }: { waiting: PathStep[]; personal: PathStep[]; revisions: number | undefined },
): ConversationPath {
  const withdrawn = [...(former?.withdrawn ?? []), ...personal];
  const { withdrawnAt } = former ?? {};
  const counted = revisions ?? former?.revisions;
  return {
    steps,
    ...(waiting.length > 0 && { waiting }),
    ...(withdrawn.length > 0 && { withdrawn }),
    ...(counted !== undefined && { revisions: counted }),
    ...(withdrawnAt !== undefined && { withdrawnAt }),
  };
}

/**
 * Returns which texts of a walk the transcript lacks, and which of its entries the walk has not. The current question
 * comes last.
 */
function compareEntries(
  { turn, said, saidLater, waiting }: Walk,
  transcript: readonly Entry[],
): { added: Entry[]; withdrawn: number[] } {
  const steps = [...(turn.state.path?.steps ?? []), ...waiting];
  const isOfStep = ({ seq }: Entry): boolean =>
    steps.some(({ entries }) => entries && entries[0] <= seq && seq <= entries[1]);
  const former = transcript.filter((entry) => !entry.withdrawn && !isOfStep(entry));
  const unused = Map.groupBy(
    former.filter(({ type }) => type === 'bot'),
    keyOf,
  );
  const newest = transcript.at(-1);
  const added: Entry[] = [];
  const kept = new Set<Entry>();
  for (const [at, entry] of said.entries()) {
    const isQuestion = turn.input !== null && at === said.length - 1;
    const known = unused.get(keyOf(entry))?.shift();
    if (known && (!isQuestion || known === newest)) kept.add(known);
    else added.push(entry);
  }
  for (const entry of saidLater) {
    const known = unused.get(keyOf(entry))?.shift();
    if (known) kept.add(known);
  }
  const withdrawn = former.filter((entry) => !kept.has(entry)).map(({ seq }) => seq);
  return { added, withdrawn };
}

function keyOf({ body, personal }: Entry): string {
  return JSON.stringify([body, personal]);
}

/** The size of a conversation (`conversation-size.ts`). */
function bytesOf(state: ConversationState, transcript: readonly Entry[]): number {
  const { customer, context, answers, evaluation, steps = [], ways = [], path } = state;
  const values = [...Object.values(answers), ...Object.values(evaluation)];
  const parts = [customer, context, path, ...values, ...steps, ...ways, ...transcript];
  return parts.reduce((sum: number, part) => sum + jsonBytes(part) + 1, 0);
}
