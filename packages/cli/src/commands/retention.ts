import type { Retention } from '@parley/client';
import { retentionLimits } from '@parley/contracts/limits';
import type { Command } from 'commander';
import { apiCommand, called } from '../api.ts';
import { counted } from '../counted.ts';
import { usageFailure } from '../failure.ts';
import { pairs } from '../output.ts';
import type { Shell } from '../shell.ts';

/** Not null for ever: the parser of options replaces a null. */
type Days = number | 'forever';

interface DaysOptions {
  completed?: Days;
  ended?: Days;
  draft?: Days;
}

export function addRetentionCommands(program: Command, shell: Shell): void {
  const retention = program.command('retention').description('how long a workspace keeps interactions');

  const get = retention
    .command('get')
    .description('show after how many days without a change interactions are deleted')
    .addHelpText('after', '\nExample:\n  parley retention get');
  apiCommand(get, shell, async ({ open, print }) => {
    const { workspace } = await open();
    const current = await called(workspace.retention.get());
    print(current, described(current));
  });

  const preview = withDays(retention.command('preview'))
    .description('count the interactions that a change would delete now, and change nothing')
    .addHelpText('after', '\nExample:\n  parley retention preview --completed 365 --draft 30');
  apiCommand<DaysOptions>(preview, shell, async ({ options, open, print }) => {
    const change = changeOf(options);
    const { workspace } = await open();
    const counts = await called(workspace.retention.preview(change));
    const texts = Object.entries(counts).map(([name, count]) => [name, String(count)]);
    print(counts, pairs(Object.fromEntries(texts) as Record<string, string>));
  });

  const set = withDays(retention.command('set'))
    .description('change the numbers of days; what is outdated is deleted from now on')
    .option('--yes', 'really')
    .addHelpText('after', '\nExample:\n  parley retention set --completed 365 --ended forever --yes');
  apiCommand<DaysOptions & { yes?: true }>(set, shell, async ({ options, open, print }) => {
    const change = changeOf(options);
    if (!options.yes)
      throw usageFailure('deleted interactions cannot come back: see retention preview, then pass --yes');
    const { workspace } = await open();
    const changed = await called(workspace.retention.update(change));
    print(changed, described(changed));
  });
}

function withDays(command: Command): Command {
  return command
    .option('--completed <days>', 'of Completed ones, or forever', readDays)
    .option('--ended <days>', 'of Expired ones, and of InProgress ones that nobody touches', readDays)
    .option('--draft <days>', 'of Draft and Pending ones', readDays);
}

function readDays(text: string): Days {
  if (text === 'forever') return text;
  const days = /^[1-9]\d{0,3}$/.test(text) ? Number(text) : Number.NaN;
  if (days <= retentionLimits.daysMax) return days;
  throw usageFailure(`${text} is neither forever nor a number of days from 1 to ${retentionLimits.daysMax}`);
}

function changeOf({ completed, ended, draft }: DaysOptions) {
  const numbered = (days: Days): number | null => (days === 'forever' ? null : days);
  const change = {
    ...(completed !== undefined && { completedDays: numbered(completed) }),
    ...(ended !== undefined && { endedDays: numbered(ended) }),
    ...(draft !== undefined && { draftDays: numbered(draft) }),
  };
  if (Object.keys(change).length === 0) throw usageFailure('pass --completed, --ended or --draft');
  return change;
}

function described({ completedDays, endedDays, draftDays }: Retention): string {
  const shown = (days: number | null): string => (days === null ? 'for ever' : counted(days, 'day'));
  return pairs({ completed: shown(completedDays), ended: shown(endedDays), draft: shown(draftDays) });
}
