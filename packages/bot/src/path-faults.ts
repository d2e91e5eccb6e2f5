import type { BotFault, Step } from './format.ts';
import { reachable, type Ways, waysOn } from './paths.ts';

/** How many steps may run between two answers. */
export const passingStepsMax = 100;

/**
 * What is wrong with the ways through the talk: a loop without a question or, if there is none, steps that cannot be
 * reached or never come to an end, runs of more than 100 steps without a question, and a list that ends without an
 * `end`. Of steps that lead to one another only the first is named.
 */
export function pathFaults(steps: readonly Step[]): BotFault[] {
  const ways = waysOn(steps);
  const faults: BotFault[] = [];
  const say = (index: number, detail: string) => faults.push({ pointer: `/steps/${index}`, detail });
  const name = (index: number) => `"${steps[index]?.id}"`;

  const { loop, longest } = passingRuns(ways);
  if (loop !== undefined) {
    const [first = 0] = loop;
    const many = `The steps ${loop.map(name).join(', ')} can repeat for ever: none of them waits for the customer.`;
    const one = `The step ${name(first)} can repeat for ever: it does not wait for the customer.`;
    say(first, loop.length === 1 ? one : many);
    return faults;
  }

  const used = reachable(ways, 0);
  const finishing = stepsThatFinish(steps, ways);
  const lost = new Set<number>();
  const endless = new Set<number>();
  const sayOnce = (told: Set<number>, index: number, detail: string) => {
    if (told.has(index)) return;
    for (const next of reachable(ways, index)) told.add(next);
    say(index, detail);
  };
  steps.forEach((_step, index) => {
    if (!used.has(index)) {
      sayOnce(lost, index, `No way through the talk leads to the step ${name(index)}.`);
    } else if (ways[index]?.runsOut) {
      say(
        index,
        `The talk can run past ${name(index)}, the last step: close the list with an end, or name the next step.`,
      );
    } else if (!finishing.has(index)) {
      sayOnce(endless, index, `From the step ${name(index)} the talk never comes to an end.`);
    }
  });

  const start = longest.findIndex((length, index) => length > passingStepsMax && used.has(index));
  if (start >= 0) {
    say(
      start,
      `${longest[start]} steps can run from ${name(start)} without a question; at most ${passingStepsMax} may.`,
    );
  }
  return faults;
}

// Those that run past the end of the list among them: that is told once.
function stepsThatFinish(steps: readonly Step[], ways: readonly Ways[]): Set<number> {
  const before = new Map<number, number[]>();
  ways.forEach((way, index) => {
    for (const next of [...way.passing, ...way.answered])
      before.set(next, [...(before.get(next) ?? []), index]);
  });
  const finishing = new Set(
    steps.flatMap((step, index) => (step.kind === 'end' || ways[index]?.runsOut ? [index] : [])),
  );
  for (const index of finishing) for (const previous of before.get(index) ?? []) finishing.add(previous);
  return finishing;
}

// Depth first over the ways that need no answer: either the first loop found, or for each step the length of the
// longest run that begins there. Steps that ask and cannot be left out are where a run stops; they count as nothing.
function passingRuns(ways: readonly Ways[]): { loop?: number[]; longest: number[] } {
  const longest: number[] = [];
  const trail: number[] = [];
  const visit = (index: number): number[] | undefined => {
    if (longest[index] !== undefined) return undefined;
    const way = ways[index];
    const stops = way !== undefined && way.passing.length === 0 && way.answered.length > 0;
    if (stops) {
      longest[index] = 0;
      return undefined;
    }
    const at = trail.indexOf(index);
    if (at >= 0) return trail.slice(at);
    trail.push(index);
    let length = 0;
    for (const next of way?.passing ?? []) {
      const loop = visit(next);
      if (loop !== undefined) return loop;
      length = Math.max(length, longest[next] ?? 0);
    }
    trail.pop();
    longest[index] = length + 1;
    return undefined;
  };
  for (const index of ways.keys()) {
    const loop = visit(index);
    if (loop !== undefined) return { loop, longest };
  }
  return { longest };
}
