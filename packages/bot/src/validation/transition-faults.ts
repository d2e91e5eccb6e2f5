import type { Fault } from '@parley/runtime/errors';
import type { Step } from '../definition/format.ts';
import { stepsPerTurnMax } from '../bounds/turn-budget.ts';
import { reachable, type Transitions, outgoingTransitions } from '../definition/transitions.ts';

/**
 * Returns the faults of the paths through a conversation. A loop without a question is reported alone. Otherwise:
 * unreachable steps, steps from which no end is reachable, runs of more than 100 steps without a question, and a list
 * that can run past its last step. Of connected faulty steps only the first is reported.
 */
export function transitionFaults(steps: readonly Step[]): Fault[] {
  const transitions = outgoingTransitions(steps);
  const faults: Fault[] = [];
  const report = (index: number, detail: string) => faults.push({ pointer: `/steps/${index}`, detail });
  const name = (index: number) => `"${steps[index]?.id}"`;

  const { loop, longest } = runsWithoutQuestion(transitions);
  if (loop !== undefined) {
    const [first = 0] = loop;
    const many = `The steps ${loop.map(name).join(', ')} can repeat for ever: none of them waits for the customer.`;
    const one = `The step ${name(first)} can repeat for ever: it does not wait for the customer.`;
    report(first, loop.length === 1 ? one : many);
    return faults;
  }

  const reached = reachable(transitions, 0);
  const finishing = stepsThatFinish(steps, transitions);
  const unreachable = new Set<number>();
  const endless = new Set<number>();
  const reportFirst = (reported: Set<number>, index: number, detail: string) => {
    if (reported.has(index)) return;
    for (const next of reachable(transitions, index)) reported.add(next);
    report(index, detail);
  };
  steps.forEach((_step, index) => {
    if (!reached.has(index)) {
      reportFirst(unreachable, index, `No path leads to the step ${name(index)}.`);
    } else if (transitions[index]?.runsPastEnd) {
      report(
        index,
        `The conversation can run past ${name(index)}, the last step: add an end, or name the next step.`,
      );
    } else if (!finishing.has(index)) {
      reportFirst(endless, index, `From the step ${name(index)} the conversation never ends.`);
    }
  });

  const start = longest.findIndex((length, index) => length > stepsPerTurnMax && reached.has(index));
  if (start >= 0) {
    report(
      start,
      `${longest[start]} steps can run from ${name(start)} without a question; at most ${stepsPerTurnMax} may.`,
    );
  }
  return faults;
}

// Includes steps that run past the end of the list, which have a fault of their own.
function stepsThatFinish(steps: readonly Step[], transitions: readonly Transitions[]): Set<number> {
  const before = new Map<number, number[]>();
  transitions.forEach((transition, index) => {
    for (const next of [...transition.immediate, ...transition.afterAnswer]) {
      const others = before.get(next);
      if (others === undefined) before.set(next, [index]);
      else others.push(index);
    }
  });
  const finishing = new Set(
    steps.flatMap((step, index) => (step.kind === 'end' || transitions[index]?.runsPastEnd ? [index] : [])),
  );
  for (const index of finishing) for (const previous of before.get(index) ?? []) finishing.add(previous);
  return finishing;
}

// Depth-first search over the immediate transitions: returns the first loop, or the length of the longest run from each
// step. A run stops before a step that always asks.
function runsWithoutQuestion(transitions: readonly Transitions[]): { loop?: number[]; longest: number[] } {
  const longest: number[] = [];
  const trail: number[] = [];
  const visit = (index: number): number[] | undefined => {
    if (longest[index] !== undefined) return undefined;
    const transition = transitions[index];
    const stops =
      transition !== undefined && transition.immediate.length === 0 && transition.afterAnswer.length > 0;
    if (stops) {
      longest[index] = 0;
      return undefined;
    }
    const at = trail.indexOf(index);
    if (at >= 0) return trail.slice(at);
    trail.push(index);
    let length = 0;
    for (const next of transition?.immediate ?? []) {
      const loop = visit(next);
      if (loop !== undefined) return loop;
      length = Math.max(length, longest[next] ?? 0);
    }
    trail.pop();
    longest[index] = length + 1;
    return undefined;
  };
  for (const index of transitions.keys()) {
    const loop = visit(index);
    if (loop !== undefined) return { loop, longest };
  }
  return { longest };
}
