import type { ValueChange } from '@parley/bot/changes';
import type { BotDiff } from '@parley/bot/diff';

/** Returns a diff of two definitions for people. */
export function diffText({ bot, steps, isReordered, conditions }: BotDiff): string {
  const signs = { added: '+', removed: '-', changed: '~' };
  const lines = [
    ...(bot.length > 0 ? ['~ the bot', ...bot.flatMap(valueLines)] : []),
    ...steps.flatMap(({ id, change, values }) => {
      if (change === 'moved') return [];
      return [`${signs[change]} step ${id}`, ...(change === 'changed' ? values.flatMap(valueLines) : [])];
    }),
    ...(isReordered ? ['~ the order of the steps'] : []),
    ...conditions.map(({ pointer, detail }) => `! no longer holds: ${pointer}: ${detail}`),
  ];
  return lines.length > 0 ? lines.join('\n') : 'There are no differences.';
}

function valueLines({ path, before, after }: ValueChange): string[] {
  return [
    `    ${path}`,
    ...(before === undefined ? [] : [`    - ${JSON.stringify(before)}`]),
    ...(after === undefined ? [] : [`    + ${JSON.stringify(after)}`]),
  ];
}
