import type { CourseDiff } from '@parley/bot/replay';
import type { ConversationDifference, DifferenceGroup } from '@parley/contracts/interaction/v1/bot';
import { replayLimits } from '@parley/contracts/limits';

const { groupsMax, partsMax, partCharactersMax } = replayLimits;

/** Conversations by the way in which they differ. */
export class DifferenceGroups {
  readonly #groups = new Map<string, DifferenceGroup>();

  /** Counts a conversation. The first one of its kind, which is the newest, stands for all. */
  add(diff: CourseDiff, newest: ConversationDifference): void {
    const kind = kindOf(diff);
    const known = this.#groups.get(kind);
    if (known) known.count += 1;
    else this.#groups.set(kind, groupOf(diff, newest));
  }

  list(): DifferenceGroup[] {
    const groups = [...this.#groups.values()];
    return groups.sort((one, other) => other.count - one.count).slice(0, groupsMax);
  }
}

/**
 * Texts contain names, and lost values what customers have written, so only their places are part of a kind. A course
 * is part of it if it changes.
 */
function kindOf({ before, after, evaluation, texts }: CourseDiff): string {
  const [former, later] = [before, after].map(({ stepIds, endStepId, stopped }) =>
    JSON.stringify([stepIds, endStepId, stopped]),
  );
  return JSON.stringify([
    former !== later && [former, later],
    texts.map(({ stepId }) => stepId),
    evaluation.map((value) =>
      value.before === null || value.after === null
        ? [value.key, value.before === null]
        : [value.key, value.before, value.after],
    ),
  ]);
}

function groupOf({ texts, evaluation }: CourseDiff, newest: ConversationDifference): DifferenceGroup {
  return {
    count: 1,
    newest,
    texts: texts.slice(0, partsMax).map(({ stepId, before, after }) => {
      const [former, later] = cut(before, after);
      return { stepId: stepId ?? undefined, before: former, after: later };
    }),
    evaluation: evaluation.slice(0, partsMax).map(({ key, before, after }) => {
      const [former, later] = cut(before ?? '', after ?? '');
      return {
        key,
        before: before === null ? undefined : former,
        after: after === null ? undefined : later,
      };
    }),
  };
}

/** How much of the common text stands before a difference. */
const leadCharacters = 40;

/** Returns the part of each text in which they differ, without the halves of a character. */
function cut(before: string, after: string): [string, string] {
  let same = 0;
  while (same < before.length && before[same] === after[same]) same += 1;
  const longest = Math.max(before.length, after.length);
  const from = longest <= partCharactersMax ? 0 : Math.max(0, same - leadCharacters);
  const part = (text: string): string => {
    const end = from + partCharactersMax;
    const [lead, more] = [from > 0 ? '…' : '', text.length > end ? '…' : ''];
    return `${lead}${text.slice(from, end).replaceAll(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, '')}${more}`;
  };
  return [part(before), part(after)];
}
