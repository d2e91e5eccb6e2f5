import type { Interaction, InteractionHistory } from '@parley/client';

/** Returns the evaluation and the transcript of an interaction; undefined until it has started. */
export function historyOf({ data }: Pick<Interaction, 'data'>): InteractionHistory | undefined {
  if (data === null) return undefined;
  try {
    const history = JSON.parse(data) as Partial<InteractionHistory> | null;
    return { evaluation: {}, transcript: [], customer_id: '', interaction_id: '', ...history };
  } catch {
    // The caller may not see it.
    return undefined;
  }
}
