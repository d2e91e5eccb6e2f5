import type { InteractionStatus } from '@parley/client';
import type { Workspace } from '../data/workspace.tsx';

/** The first steps in a workspace, in their order. */
export const firstSteps = ['bot', 'try', 'key', 'webhook', 'invite'] as const;

export type FirstStep = (typeof firstSteps)[number];

/** How many there are of each. Undefined: it is not known, or the person may not see it. */
export interface Found {
  bots: number | undefined;
  /** Test interactions, or conversations that somebody has begun. */
  tried: number | undefined;
  keys: number | undefined;
  webhooks: number | undefined;
  /** Without tests. */
  interactions: number | undefined;
}

/** Returns the steps that the person sees, each with whether it is done; none when all are. */
export function stepsOf(found: Found): { step: FirstStep; isDone: boolean }[] {
  const counts: Record<FirstStep, number | undefined> = {
    bot: found.bots,
    try: found.tried,
    key: found.keys,
    webhook: found.webhooks,
    invite: found.interactions,
  };
  const steps = firstSteps.flatMap((step) => {
    const count = counts[step];
    return count === undefined ? [] : [{ step, isDone: count > 0 }];
  });
  return steps.every(({ isDone }) => isDone) ? [] : steps;
}

export async function countInteractions(
  { client }: Pick<Workspace, 'client'>,
  query: { isTest?: boolean; status?: InteractionStatus },
  signal: AbortSignal,
): Promise<number> {
  const { meta } = await client.interactions.list({ ...query, pageSize: 1 }, { signal });
  return meta.totalResults;
}
