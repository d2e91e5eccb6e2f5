import type { Step } from '../definition/format.ts';
import { stepsPerTurnMax } from '../bounds/turn-budget.ts';
import { reachable, type Transitions, outgoingTransitions } from '../definition/transitions.ts';
import { type Message, type MessageFault, messages } from '../text/messages.ts';

/**
 * Returns the faults of the paths through a conversation. A loop without a question is reported alone. Otherwise:
 * unreachable steps, steps from which no end is reachable, runs of more than 100 steps without a question, and a list
 * that can run past its last step. Of connected faulty steps only the first is reported.
 */
export function transitionFaults(steps: readonly Step[]): MessageFault[] {
  const transitions = outgoingTransitions(steps);
  const faults: MessageFault[] = [];
  const report = (index: number, detail: Message) => faults.push({ pointer: `/steps/${index}`, detail });
  const name = (index: number) => `"${steps[index]?.id}"`;

  const { loop, longest } = runsWithoutQuestion(transitions);
  if (loop !== undefined) {
    const [first = 0] = loop;
    const isOne = loop.length === 1;
    report(
      first,
      isOne ? messages.repeats(name(first)) : messages.repeatsTogether(loop.map(name).join(', ')),
    );
    return faults;
  }

  const reached = reachable(transitions, 0);
  const finishing = stepsThatFinish(steps, transitions);
  const unreachable = new Set<number>();
  const endless = new Set<number>();
  const reportFirst = (reported: Set<number>, index: number, detail: Message) => {
    if (reported.has(index)) return;
    for (const next of reachable(transitions, index)) reported.add(next);
    report(index, detail);
  };
  steps.forEach((_step, index) => {
    if (!reached.has(index)) {
      reportFirst(unreachable, index, messages.noWay(name(index)));
    } else if (transitions[index]?.runsPastEnd) {
      report(index, messages.runsPast(name(index)));
    } else if (!finishing.has(index)) {
      reportFirst(endless, index, messages.neverEnds(name(index)));
    }
  });

  const start = longest.findIndex((length, index) => length > stepsPerTurnMax && reached.has(index));
  if (start >= 0) {
    report(start, messages.longRun(longest[start] ?? 0, name(start), stepsPerTurnMax));
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
