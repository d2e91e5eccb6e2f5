import type { BotDefinition, InputRule, Step } from './format.ts';
import { outgoingTransitions } from './transitions.ts';

/** What a conversation takes: the fewest and the most questions of its paths, and minutes, at least 1. */
export type Effort = { questionsMin: number; questionsMax: number; minutes: number };

/** The time to read a question and answer it by a press, a line or a text, and to read a text of the bot. */
const pressSeconds = 8;
const lineSeconds = 15;
const textSeconds = 40;
const readSeconds = 4;

/** Questions and seconds of one path. */
type Cost = { questions: number; seconds: number };

/**
 * Returns the effort of a conversation, estimated from its shortest and its longest path. A path takes no step twice,
 * and leaves out questions that are skipped only by `when`.
 */
export function effortOf({ steps }: Pick<BotDefinition, 'steps'>): Effort {
  const shortest = pathCost(steps, (left, right) => left.questions < right.questions);
  const longest = pathCost(steps, (left, right) => left.questions > right.questions);
  const seconds = (shortest.seconds + longest.seconds) / 2;
  return {
    questionsMin: shortest.questions,
    questionsMax: longest.questions,
    minutes: Math.max(1, Math.round(seconds / 60)),
  };
}

function pathCost(steps: readonly Step[], isBetter: (one: Cost, other: Cost) => boolean): Cost {
  const transitions = outgoingTransitions(steps);
  const known = new Map<number, Cost>();
  const open = new Set<number>();
  // Undefined for a way back: a path takes no step twice.
  const visit = (index: number): Cost | undefined => {
    if (open.has(index)) return undefined;
    const before = known.get(index);
    if (before !== undefined) return before;
    open.add(index);
    const { immediate = [], afterAnswer = [] } = transitions[index] ?? {};
    let best: Cost | undefined;
    for (const next of [...immediate, ...afterAnswer]) {
      const cost = visit(next);
      if (cost !== undefined && (best === undefined || isBetter(cost, best))) best = cost;
    }
    open.delete(index);
    const own = costOf(steps[index]);
    const cost = {
      questions: own.questions + (best?.questions ?? 0),
      seconds: own.seconds + (best?.seconds ?? 0),
    };
    known.set(index, cost);
    return cost;
  };
  return visit(0) ?? { questions: 0, seconds: 0 };
}

function costOf(step: Step | undefined): Cost {
  if (step?.kind === 'ask') return { questions: 1, seconds: secondsOf(step.input) };
  if (step?.kind === 'llm' && step.mode === 'chat') return { questions: 1, seconds: textSeconds };
  return { questions: 0, seconds: step?.kind === 'say' ? readSeconds : 0 };
}

function secondsOf({ type }: InputRule): number {
  if (type === 'longText') return textSeconds;
  return ['choice', 'multiChoice', 'nps', 'rating', 'yesNo'].includes(type) ? pressSeconds : lineSeconds;
}
