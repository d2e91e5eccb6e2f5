import type { Command } from 'commander';
import { apiCommand, apiHelp, called } from '../../api.ts';
import { counted } from '../../counted.ts';
import { Failure } from '../../failure.ts';
import { readJsonFile } from '../../files/json-file.ts';
import { writeOutput } from '../../files/text-file.ts';
import { readVersionNumber } from '../../options/version-number.ts';
import type { Shell } from '../../shell.ts';

const example = `
Examples:
  parley bot draft get feedback --output feedback.json
  parley bot draft put feedback.json --replace
  parley bot draft publish feedback --expect 4 --note 'Ask why'
  parley bot draft discard feedback

A draft is a definition that is not published: customers see nothing of it, and it may have
faults. The console's editor saves its text there.
${apiHelp}`;

export function addDraft(bot: Command, shell: Shell): void {
  const draft = bot
    .command('draft')
    .description('read, save, publish or discard the draft of a bot')
    .addHelpText('after', example);
  addGet(draft, shell);
  addPut(draft, shell);
  addPublish(draft, shell);
  addDiscard(draft, shell);
}

function addGet(draft: Command, shell: Shell): void {
  const command = draft
    .command('get')
    .description('write the definition of the draft to a file or standard output')
    .argument('<key>', 'the key of the bot')
    .option('--output <file>', 'the file');
  apiCommand<{ output?: string }>(command, shell, async ({ options, open, print }, key: string) => {
    const { output } = options;
    const api = await open();
    const { draft, text } = await api.readDraft(await api.botId(key));
    if (output === undefined) return void shell.stdout.write(text);
    await writeOutput(output, text, shell);
    const { baseVersion, updatedAt, updatedBy, faults } = draft;
    const saved = { file: output, key, baseVersion, updatedAt, updatedBy, faults };
    const words = `${output} is the draft of ${key}, by ${updatedBy} at ${updatedAt}: ${counted(faults.length, 'fault')}`;
    print(saved, words);
  });
}

function addPut(draft: Command, shell: Shell): void {
  const command = draft
    .command('put')
    .description('save a file as the draft; it may have faults')
    .argument('<file>', 'the definition, as JSON')
    .option('--key <key>', 'the key of the bot, if the file has none')
    .option('--replace', 'replace the draft of any author');
  type Options = { key?: string; replace?: boolean };
  apiCommand<Options>(command, shell, async ({ options, open, print }, file: string) => {
    const { key: given, replace = false } = options;
    const read = await readJsonFile(file, shell);
    const { key: own }: { key?: unknown } = Object(read.value);
    const key = given ?? own;
    if (typeof key !== 'string')
      throw new Failure(`${file} has no key: pass --key`, { type: 'invalid-definition' });
    const api = await open();
    const { baseVersion, faults } = await api.saveDraft(read.text, await api.botId(key), replace);
    const words = `${file} is the draft of ${key}, from version ${baseVersion}: ${counted(faults.length, 'fault')}`;
    print({ file, key, baseVersion, faults: faults.map(read.place) }, words);
  });
}

function addPublish(draft: Command, shell: Shell): void {
  const command = draft
    .command('publish')
    .description('publish the draft, and remove it')
    .argument('<key>', 'the key of the bot')
    .option('--expect <n>', 'fail if another version is live', readVersionNumber)
    .option('--note <text>', 'why');
  type Options = { expect?: number; note?: string };
  apiCommand<Options>(command, shell, async ({ options, open, print }, key: string) => {
    const { expect, note } = options;
    const { workspace, botId } = await open();
    const body = {
      publishDraft: true as const,
      ...(expect !== undefined && { expectedVersion: expect }),
      ...(note !== undefined && { note }),
    };
    const published = await called(workspace.bots.publishVersion(await botId(key), body));
    print(published, `${key} version ${published.version}, bot ${published.id}`);
  });
}

function addDiscard(draft: Command, shell: Shell): void {
  const command = draft
    .command('discard')
    .description('remove the draft')
    .argument('<key>', 'the key of the bot');
  apiCommand(command, shell, async ({ open, print }, key: string) => {
    const { workspace, botId } = await open();
    await called(workspace.bots.discardDraft(await botId(key)), `draft of ${key}`);
    print({ key }, `The draft of ${key} is discarded.`);
  });
}
