import { IdentityServiceService } from '@parley/contracts/identity/v1/identity';
import { BotServiceService } from '@parley/contracts/interaction/v1/bot';
import { diffBots } from '@parley/bot/diff';
import type { Command } from 'commander';
import { type Api, type ApiOptions, openApi } from '../../api.ts';
import { type BotFile, readBot, rejectedBot } from '../../files/bot-file.ts';
import { diffText } from '../../diff-lines.ts';
import { Failure, usageFailure } from '../../failure.ts';
import { faultJson, print, printWarnings } from '../../output.ts';
import type { Shell } from '../../shell.ts';
import { ask, findTarget, newCall, type Target } from '../../target.ts';
import { readVersionNumber } from '../../options/version-number.ts';

const example = `
Examples:
  parley bot publish feedback.json --url https://api.example.com --expect 4 --note 'Ask why'
  parley bot publish feedback.json --url https://api.example.com --check
  parley bot publish feedback.json --workspace 01939f6a-2f40-7c3a-9d55-0123456789ab

With --url, the command calls the API with the key in PARLEY_API_KEY and PARLEY_API_SECRET, and
--workspace (or PARLEY_WORKSPACE) is for a key with several workspaces. Without --url, the
operator publishes to the workspace. An unchanged definition gets no new version; its layout
does not matter. Running conversations keep their version. --check publishes nothing. Its exit
code is 1 if the file has a fault, or if another version than the expected one is live.`;

interface PublishOptions extends ApiOptions {
  check?: boolean;
  expect?: number;
  note?: string;
}

export function addPublish(bot: Command, shell: Shell): void {
  bot
    .command('publish')
    .description('create a bot of a workspace, or add a version to it')
    .argument('<file>', 'the definition, as JSON or YAML')
    .option('--url <url>', 'the address of the API: publish with an API key')
    .option('--workspace <id>', 'the workspace; without --url required')
    .option('--check', 'show the differences to the live version, and publish nothing (with --url)')
    .option('--expect <n>', 'fail if another version is live (with --url)', readVersionNumber)
    .option('--note <text>', 'why (with --url)')
    .addHelpText('after', example)
    .action(async (file: string, _, command: Command) => {
      const options = command.optsWithGlobals<PublishOptions>();
      const { url, workspace, check, expect, note } = options;
      const needsUrl = check || expect !== undefined || note !== undefined;
      if (url === undefined && needsUrl) throw usageFailure('--check, --expect and --note need --url');
      if (url === undefined && workspace === undefined)
        throw usageFailure('pass --workspace ID, or --url URL');
      const read = await readBot(file, shell);
      if (!options.json) printWarnings(shell, read.warnings);
      if (check) return checkOnly(read, options, shell);
      const published =
        url === undefined
          ? await publishAsOperator(await findTarget(options, shell), workspace ?? '', read)
          : await publishWithKey(await openApi(options, shell), read, options);
      const { bot, isUnchanged } = published;
      const { version, id } = bot;
      const change = isUnchanged ? 'unchanged' : 'published';
      const warnings = read.warnings.map(faultJson);
      print(
        shell,
        options.json,
        { ...bot, isUnchanged, warnings },
        `${read.definition.key} version ${version} (${change}), bot ${id}`,
      );
    });
}

async function checkOnly(read: BotFile, options: PublishOptions, shell: Shell): Promise<void> {
  const api = await openApi(options, shell);
  const { key } = read.definition;
  const id = await api.findBot(key);
  const warnings = read.warnings.map(faultJson);
  if (id === undefined) {
    if (options.expect !== undefined) throw unexpected('The bot does not exist');
    return print(shell, options.json, { key, version: null, warnings }, `${key} is a new bot`);
  }
  const { version, text } = await api.readVersion(id);
  if (options.expect !== undefined && options.expect !== version) {
    throw unexpected(`Version ${version} of the bot is live, not ${options.expect}`);
  }
  const diff = diffBots(JSON.parse(text), read.value);
  print(
    shell,
    options.json,
    { key, version, ...diff, warnings },
    `${key} version ${version}:\n${diffText(diff)}`,
  );
}

function unexpected(message: string): Failure {
  return new Failure(message, { type: 'unexpected-bot-version' });
}

async function publishWithKey(api: Api, file: BotFile, { expect, note }: PublishOptions) {
  const { key } = file.definition;
  const id = await api.findBot(key);
  if (id === undefined && expect !== undefined) throw unexpected('The bot does not exist');
  const before = id === undefined ? undefined : (await api.readVersion(id)).version;
  const bot = await api.publish(file.text, id, { expectedVersion: expect, note }).catch((error: unknown) => {
    throw error instanceof Failure && error.faults ? rejectedBot(file, inFile(error)) : error;
  });
  return { bot: { ...bot, key }, isUnchanged: bot.version === before };
}

/** A new version is sent inside of `definition`. */
function inFile({ message, type, faults = [] }: Failure): Failure {
  const placed = faults.map(({ pointer, detail }) => ({
    pointer: pointer.replace(/^\/definition/, ''),
    detail,
  }));
  return new Failure(message, { type, faults: placed });
}

async function publishAsOperator(target: Target, workspace: string, file: BotFile) {
  const { text: definition } = file;
  const { key } = file.definition;
  // The interaction service does not check that a workspace exists.
  const { id: workspaceId } = await ask(target, 'identity', `workspace ${workspace}`, (peer) =>
    peer.client(IdentityServiceService).getWorkspace({ id: workspace }, newCall()),
  );
  return ask(target, 'interaction', `bot ${key}`, async (peer) => {
    const bots = peer.client(BotServiceService);
    const { bots: existing } = await bots.listBots({ workspaceId, key }, newCall());
    const [known] = existing;
    const publication = { workspaceId, definition, idempotency: null };
    const { bot } = known
      ? await bots.publishBotVersion({ ...publication, id: known.id }, newCall())
      : await bots.createBot(publication, newCall());
    if (!bot) throw new Error('the interaction service answered without the bot');
    return { bot, isUnchanged: bot.version === known?.version };
  }).catch((error: unknown) => {
    // A service of another version may have other rules.
    throw error instanceof Failure && error.faults ? rejectedBot(file, error) : error;
  });
}
