/** A way that is taken if its condition holds. */
export interface Arm {
  condition: string;
  goto: string;
}

/** What follows a step: the next one of the list, one that it names, or what arms decide. */
export interface Ways {
  arms: Arm[];
  /** What follows otherwise. Undefined: the next step of the list. */
  otherwise: string | undefined;
}

/** Reads the `next` of a step, which may have faults. */
export function readWays(next: unknown): Ways {
  if (!Array.isArray(next)) return { arms: [], otherwise: typeof next === 'string' ? next : undefined };
  const given = next.map((arm: unknown) => (arm ?? {}) as Record<string, unknown>);
  const text = (value: unknown): string => (typeof value === 'string' ? value : '');
  return {
    arms: given
      .filter((arm) => !('else' in arm))
      .map((arm) => ({ condition: text(arm['if']), goto: text(arm['goto']) })),
    otherwise: text(given.findLast((arm) => 'else' in arm)?.['else']),
  };
}

/** Returns the `next` of a step. A step that `mustDecide` has arms even if they are none. */
export function writeWays({ arms, otherwise }: Ways, mustDecide: boolean): unknown {
  if (arms.length === 0 && !mustDecide) return otherwise;
  return [...arms.map(({ condition, goto }) => ({ if: condition, goto })), { else: otherwise ?? '' }];
}

/** Returns the ways with another arm, which goes on like the last one. `following` is the next step of the list. */
export function withArm({ arms, otherwise }: Ways, condition: string, following: string | undefined): Ways {
  const target = otherwise ?? following ?? '';
  return { arms: [...arms, { condition, goto: target }], otherwise: target };
}
