import { typeOf } from '../questions/types.ts';
import type { Step } from './format.ts';
import type { Transitions } from './transitions.ts';

/** What a conversation takes: the fewest and the most questions of its paths, and minutes, at least 1. */
export type Effort = { questionsMin: number; questionsMax: number; minutes: number };

/** The seconds to read a question and answer it by a press, a line or a text, and to read a text of the bot. */
const answerSeconds = { press: 8, line: 15, text: 40 };
const readSeconds = 4;

/** Questions and seconds of one path. */
type Cost = { questions: number; seconds: number };

const noCost: Cost = { questions: 0, seconds: 0 };

/**
 * Returns the effort of a conversation, estimated from its shortest and its longest path. A path takes no step twice,
 * and leaves out questions that are skipped only by `when`.
 */
export function effortOf(steps: readonly Step[], transitions: readonly Transitions[]): Effort {
  const shortest = shortestPath(steps, transitions);
  const longest = longestPath(steps, transitions);
  const seconds = (shortest.seconds + longest.seconds) / 2;
  return {
    questionsMin: shortest.questions,
    questionsMax: longest.questions,
    minutes: Math.max(1, Math.round(seconds / 60)),
  };
}

/** Returns the cost of the path to an end with the fewest questions (Dijkstra). */
function shortestPath(steps: readonly Step[], transitions: readonly Transitions[]): Cost {
  const reached = new Map<number, Cost>([[0, costOf(steps[0])]]);
  for (let left = new Set([0]); left.size > 0; ) {
    const at = [...left].reduce((best, one) =>
      questionsAt(reached, one) < questionsAt(reached, best) ? one : best,
    );
    left.delete(at);
    const cost = reached.get(at) ?? noCost;
    const next = waysOut(transitions, at);
    if (next.length === 0) return cost;
    for (const one of next) {
      const found = plus(cost, costOf(steps[one]));
      if (found.questions >= questionsAt(reached, one)) continue;
      reached.set(one, found);
      left.add(one);
    }
  }
  return noCost;
}

function questionsAt(reached: ReadonlyMap<number, Cost>, step: number): number {
  return reached.get(step)?.questions ?? Number.POSITIVE_INFINITY;
}

/** Returns the cost of the path with the most questions. Approximate if the steps have ways back. */
function longestPath(steps: readonly Step[], transitions: readonly Transitions[]): Cost {
  const known = new Map<number, Cost>();
  const open = new Set<number>();
  const visit = (index: number): Cost => {
    const before = known.get(index);
    if (before !== undefined) return before;
    open.add(index);
    let longest = noCost;
    for (const next of waysOut(transitions, index)) {
      // A path takes no step twice.
      const cost = open.has(next) ? noCost : visit(next);
      if (cost.questions > longest.questions) longest = cost;
    }
    open.delete(index);
    const cost = plus(costOf(steps[index]), longest);
    known.set(index, cost);
    return cost;
  };
  return visit(0);
}

function waysOut(transitions: readonly Transitions[], step: number): number[] {
  const { immediate = [], afterAnswer = [] } = transitions[step] ?? {};
  return [...immediate, ...afterAnswer];
}

function plus(one: Cost, other: Cost): Cost {
  return { questions: one.questions + other.questions, seconds: one.seconds + other.seconds };
}

function costOf(step: Step | undefined): Cost {
  if (step?.kind === 'ask') return { questions: 1, seconds: answerSeconds[typeOf(step.input).effort] };
  if (step?.kind === 'llm' && step.mode === 'chat') return { questions: 1, seconds: answerSeconds.text };
  return { questions: 0, seconds: step?.kind === 'say' ? readSeconds : 0 };
}
