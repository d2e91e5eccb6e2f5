import type { ConversationState } from '../plan/conversation.ts';
import { jsonBytes } from '../plan/conversation-size.ts';

/** Adds a way between two steps, by their indexes, unless the conversation has taken it before. */
export function takeWay(state: ConversationState, from: number, to: number): void {
  const { ways } = state;
  if (ways === undefined || isTaken(ways, from, to)) return;
  const last = ways.at(-1);
  if (last?.at(-1) === from) {
    ways.splice(-1, 1, [...last, to]);
    state.bytes += jsonBytes(to) + 1;
    return;
  }
  ways.push([from, to]);
  state.bytes += jsonBytes([from, to]) + 1;
}

function isTaken(ways: readonly (readonly number[])[], from: number, to: number): boolean {
  return ways.some((run) => run.some((step, at) => step === from && run[at + 1] === to));
}

/** Returns the ways of a state, each once, by the indexes of their steps. */
export function waysOf(ways: readonly (readonly number[])[]): { from: number; to: number }[] {
  return ways.flatMap((run) => run.slice(1).map((to, at) => ({ from: run[at] ?? to, to })));
}
