import { csvFile } from '@parley/bulk/csv';
import type { InsightDay } from '@parley/client';
import { type Command, Option } from 'commander';
import { apiCommand, called } from '../../api.ts';
import { usageFailure } from '../../failure.ts';
import { insightReport } from '../../insight/report.ts';
import type { Shell } from '../../shell.ts';
import { readVersionNumber } from '../../options/version-number.ts';
import { dayColumns } from '@parley/report/insight';

const example = `
Examples:
  parley bot insight feedback
  parley bot insight feedback --from 2026-11-01T00:00:00Z --to 2026-12-01T00:00:00Z --compare
  parley bot insight feedback --tz Europe/Berlin --csv > days.csv

Counts the interactions that were created in the window, by default in the last 30 days: how
many answered, where they stopped, and what they said. --json prints the answer of the API,
--csv a row per day with its time zone. docs/insight.md defines every figure.`;

interface InsightOptions {
  from?: string;
  to?: string;
  tz: string;
  version?: number;
  compare?: 'previous';
  csv?: boolean;
}

const widthMax = 100;

export function addInsight(bot: Command, shell: Shell): void {
  const command = bot
    .command('insight')
    .description('show the figures of a bot: answers, steps where customers stop, scores')
    .argument('<key>', 'the key of the bot')
    .option('--from <instant>', 'only interactions created at or after this instant (RFC 3339)')
    .option('--to <instant>', 'only interactions created before this instant')
    .option('--tz <zone>', 'the time zone of the days, such as Europe/Berlin', 'UTC')
    .option('--version <n>', 'only conversations on this version of the bot', readVersionNumber)
    .addOption(
      new Option('--compare [window]', 'also show the totals of the window before')
        .choices(['previous'])
        .preset('previous'),
    )
    .option('--csv', 'print a row per day')
    .addHelpText('after', example);
  apiCommand<InsightOptions>(command, shell, async ({ options, open, print }, key: string) => {
    const { from, to, tz, version, compare, csv } = options;
    if (csv && options.json) throw usageFailure('use either --json or --csv');
    const { workspace, botId } = await open();
    const query = { from, to, tz, version, compare };
    const insight = await called(workspace.bots.getInsight(await botId(key), query));
    if (csv) shell.stdout.write(dayRows(insight.days, tz));
    else print(insight, insightReport(insight, tz, widthOf(shell)));
  });
}

/** Returns the days as CSV with a header row. `nps` is empty without an answer, and without an nps key. */
function dayRows(days: readonly InsightDay[], timeZone: string): string {
  const rows = days.map((day) => [...dayColumns.map((column) => day[column] ?? ''), timeZone]);
  return csvFile([[...dayColumns, 'timeZone'], ...rows], { lineEnd: '\n' });
}

function widthOf({ stdout }: Shell): number {
  const columns = 'columns' in stdout && typeof stdout.columns === 'number' ? stdout.columns : widthMax;
  return Math.min(columns, widthMax);
}
