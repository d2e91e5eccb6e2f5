import type { Interaction, InteractionHistory } from '@parley/client';

type WithData = Pick<Interaction, 'data'>;

/** A list reads the history of a row for each of its cells. */
const read = new WeakMap<WithData, InteractionHistory | undefined>();

/** Returns the evaluation and the transcript of an interaction; undefined until it has started. */
export function historyOf(interaction: WithData): InteractionHistory | undefined {
  if (!read.has(interaction)) read.set(interaction, parse(interaction));
  return read.get(interaction);
}

function parse({ data }: WithData): InteractionHistory | undefined {
  if (data === null) return undefined;
  try {
    const history = JSON.parse(data) as Partial<InteractionHistory> | null;
    return { evaluation: {}, transcript: [], customer_id: '', interaction_id: '', ...history };
  } catch {
    // The caller may not see it.
    return undefined;
  }
}

type Timed = Pick<InteractionHistory['transcript'][number], 'timestamp'>;

/** Returns whether an entry is the first one of a day, in the time zone of the browser. */
export function beginsDay({ timestamp }: Timed, before: Timed | undefined): boolean {
  const dayIn = (seconds: number): string => new Date(seconds * 1000).toDateString();
  return !before || dayIn(before.timestamp) !== dayIn(timestamp);
}

/** Returns whether the entry at an index counts no more since an answer was revised. */
export function isWithdrawn({ details }: Pick<Interaction, 'details'>, index: number): boolean {
  return details?.withdrawn?.includes(index + 1) === true;
}
