import type { Replays } from '@parley/client';
import { replayLimits } from '@parley/contracts/limits';
import { wayOf } from '@parley/report/difference';
import type { Command } from 'commander';
import { addApiOptions, apiHelp, type ApiOptions, called, openApi } from '../../api.ts';
import { readBot } from '../../files/bot-file.ts';
import { usageFailure } from '../../failure.ts';
import { print, table } from '../../output.ts';
import type { Shell } from '../../shell.ts';

const { conversationsMax } = replayLimits;

const example = `
Examples:
  parley bot replay feedback.json
  parley bot replay feedback.json --conversations 50 --json

Replays the last completed conversations of the bot with the file, before it is published, and
shows those that would take another way, end elsewhere, get another evaluation or hear another
text. Each question gets the answer that the customer gave to the question of the same id. Nothing
is changed.
${apiHelp}`;

interface ReplayOptions extends ApiOptions {
  conversations: number;
}

export function addReplay(bot: Command, shell: Shell): void {
  const command = bot
    .command('replay')
    .description('show which finished conversations would go differently with a file')
    .argument('<file>', 'the definition, as JSON or YAML')
    .option('--conversations <n>', 'how many, the newest first', readCount, conversationsMax)
    .addHelpText('after', example);
  addApiOptions(command).action(async (file: string, _, command: Command) => {
    const { conversations, ...options } = command.optsWithGlobals<ReplayOptions>();
    const { definition } = await readBot(file, shell);
    const { workspace, botId } = await openApi(options, shell);
    const body = { definition, conversations };
    const replays = await called(workspace.bots.replay(await botId(definition.key), body));
    print(shell, options.json, replays, reportOf(replays));
  });
}

function readCount(text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count >= 1 && count <= conversationsMax) return count;
  throw usageFailure(`--conversations must be a whole number from 1 to ${conversationsMax}`);
}

const ends = { closed: 'closed', stopped: { 'no-answer': 'no-answer!', refused: 'refused!' } };
const wayText = (course: Parameters<typeof wayOf>[0]): string => wayOf(course, ends).join(' > ');

function reportOf({ replayed, differing, incomplete, differences }: Replays): string {
  const rows = differences.map(({ interactionId, botVersion, before, after, ...what }) => [
    interactionId,
    String(botVersion),
    wayText(before),
    wayText(after),
    what.evaluationKeys.join(' '),
    what.hearsAnotherText ? 'another' : '',
  ]);
  const heads = ['INTERACTION', 'VERSION', 'BEFORE', 'AFTER', 'EVALUATION', 'TEXT'];
  const without = incomplete > 0 ? `, ${incomplete} have no complete record` : '';
  const summary = `${replayed} replayed, ${differing} go differently${without}`;
  return differing === 0 ? summary : `${table(heads, rows, '')}\n\n${summary}`;
}
