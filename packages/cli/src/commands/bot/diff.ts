import { diffBots } from '@parley/bot/diff';
import type { Command } from 'commander';
import { apiCommand } from '../../api.ts';
import { readBot } from '../../files/bot-file.ts';
import { diffText } from '../../diff-lines.ts';
import { Failure } from '../../failure.ts';
import { readDataFile } from '../../files/yaml-file.ts';
import type { Shell } from '../../shell.ts';
import { readVersionNumber } from '../../options/version-number.ts';

const example = `
Examples:
  parley bot diff feedback.json
  parley bot diff feedback.json 3
  parley bot diff feedback 3 5

Compares a file with the live version or another one, or two versions of a bot. Shows
changed texts and values, the steps that are new, gone or moved, and the conditions
that no longer hold. The exit code is 1 if the file is not a valid bot, not for differences.`;

export function addDiff(bot: Command, shell: Shell): void {
  const command = bot
    .command('diff')
    .description('compare a file with a version, or two versions of a bot')
    .argument('<what>', 'a file with the definition; with two versions the key of the bot')
    .argument('[from]', 'the earlier version; with a file by default the live one', readVersionNumber)
    .argument('[to]', 'the later version', readVersionNumber)
    .addHelpText('after', example);
  apiCommand(command, shell, async ({ open, print }, subject: string, from?: number, to?: number) => {
    const file = to === undefined ? await readDataFile(subject, shell) : undefined;
    const key = file ? keyOf(subject, file.value) : subject;
    const api = await open();
    const id = await api.botId(key);
    const before = JSON.parse((await api.readVersion(id, from)).text);
    const diff = diffBots(before, file ? file.value : JSON.parse((await api.readVersion(id, to)).text));
    print(diff, diffText(diff));
    if (file) await readBot(subject, shell);
  });
}

function keyOf(file: string, value: unknown): string {
  const { key }: { key?: unknown } = Object(value);
  if (typeof key === 'string') return key;
  throw new Failure(`${file} has no key`, { type: 'invalid-definition' });
}
