import type { Replays } from '@parley/client';
import { replayLimits } from '@parley/contracts/limits';
import { wayOf } from '@parley/report/difference';
import type { Command } from 'commander';
import { apiCommand, called } from '../../api.ts';
import { wholeNumber } from '../../options/whole-number.ts';
import { readBot } from '../../files/bot-file.ts';
import { table } from '../../output.ts';
import type { Shell } from '../../shell.ts';

const { conversationsMax } = replayLimits;

const example = `
Examples:
  parley bot replay feedback.json
  parley bot replay feedback.json --conversations 50 --json

Replays the last completed conversations of the bot with the file, before it is published, and
shows those that would take another way, end elsewhere, get another evaluation or hear another
text. Each question gets the answer that the customer gave to the question of the same id. Nothing
is changed.`;

interface ReplayOptions {
  conversations: number;
}

export function addReplay(bot: Command, shell: Shell): void {
  const command = bot
    .command('replay')
    .description('show which finished conversations would go differently with a file')
    .argument('<file>', 'the definition, as JSON or YAML')
    .option(
      '--conversations <n>',
      'how many, the newest first',
      wholeNumber('--conversations', conversationsMax),
      conversationsMax,
    )
    .addHelpText('after', example);
  apiCommand<ReplayOptions>(
    command,
    shell,
    async ({ options: { conversations }, open, print }, file: string) => {
      const { definition } = await readBot(file, shell);
      const { workspace, botId } = await open();
      const body = { definition, conversations };
      const replays = await called(workspace.bots.replay(await botId(definition.key), body));
      print(replays, reportOf(replays));
    },
  );
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
