import type { ConversationState } from '../plan/conversation.ts';
import { jsonBytes } from '../plan/conversation-size.ts';

/**
 * The ways that a conversation keeps. A path through the 200 steps of a bot has fewer. Insight reads 500 conversations
 * in one message, and a bot could have thousands of ways.
 */
export const waysMax = 300;

/** Adds a way between two steps, by their indexes, unless the conversation has taken it before, or has 300. */
export function takeWay(state: Pick<ConversationState, 'ways' | 'bytes'>, from: number, to: number): void {
  const { ways } = state;
  if (ways === undefined || isTaken(ways, from, to) || countOf(ways) >= waysMax) return;
  const last = ways.at(-1);
  if (last?.at(-1) === from) {
    ways.splice(-1, 1, [...last, to]);
    state.bytes += jsonBytes(to) + 1;
    return;
  }
  ways.push([from, to]);
  state.bytes += jsonBytes([from, to]) + 1;
}

const countOf = (ways: readonly (readonly number[])[]): number =>
  ways.reduce((sum, run) => sum + run.length - 1, 0);

function isTaken(ways: readonly (readonly number[])[], from: number, to: number): boolean {
  return ways.some((run) => run.some((step, at) => step === from && run[at + 1] === to));
}

/** Returns the ways of a state, each once, by the indexes of their steps. */
export function waysOf(ways: readonly (readonly number[])[]): { from: number; to: number }[] {
  return ways.flatMap((run) => run.slice(1).map((to, at) => ({ from: run[at] ?? to, to })));
}
