import type { ValueChange } from '@parley/bot/changes';
import type { BotDiff } from '@parley/bot/diff';
import { differenceRows, movedWords } from '@parley/report/difference';

const signs = { added: '+', removed: '-', changed: '~', moved: '~' };

export function diffText(diff: BotDiff): string {
  const lines = [
    ...differenceRows(diff).flatMap(({ stepId, change, values, places }) => {
      const subject = stepId === undefined ? 'the bot' : `step ${stepId}`;
      const moved = places ? `, ${movedWords(...places)}` : '';
      return [
        `${signs[change]} ${subject}${moved}`,
        ...(change === 'changed' ? values.flatMap(valueLines) : []),
      ];
    }),
    ...diff.conditions.map(({ pointer, detail }) => `! no longer holds: ${pointer}: ${detail}`),
  ];
  return lines.length > 0 ? lines.join('\n') : 'There are no differences.';
}

/** Returns the value before and after, as JSON, below its path if it has one. */
export function valueLines({ path, before, after }: ValueChange): string[] {
  return [
    ...(path === '' ? [] : [`    ${path}`]),
    ...(before === undefined ? [] : [`    - ${JSON.stringify(before)}`]),
    ...(after === undefined ? [] : [`    + ${JSON.stringify(after)}`]),
  ];
}
