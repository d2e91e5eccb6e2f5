import { IdentityServiceService } from '@parley/contracts/identity/v1/identity';
import { BotServiceService } from '@parley/contracts/interaction/v1/bot';
import type { Command } from 'commander';
import { type BotFile, readBot, rejectedBot } from '../../bot-file.ts';
import { Failure } from '../../failure.ts';
import { faultJson, print, printWarnings } from '../../output.ts';
import type { Shell } from '../../shell.ts';
import { ask, findTarget, type GlobalOptions, newCall, type Target } from '../../target.ts';

const example = `
Example:
  parley bot publish feedback.json --workspace 01939f6a-2f40-7c3a-9d55-0123456789ab

An unchanged definition gets no new version; its layout does not matter. Running
conversations keep their version.`;

/** Adds `bot publish`. */
export function addPublish(bot: Command, shell: Shell): void {
  bot
    .command('publish')
    .description('create the bot in a workspace, or add a version to the bot of that key')
    .argument('<file>', 'the definition, as JSON')
    .requiredOption('--workspace <id>', 'the workspace')
    .addHelpText('after', example)
    .action(async (file: string, _, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { workspace: string }>();
      const read = await readBot(file, shell);
      if (!options.json) printWarnings(shell, read.warnings);
      const target = await findTarget(options, shell);
      const published = await publish(target, options.workspace, read);
      const { bot, isUnchanged } = published;
      const { key, version, id } = bot;
      const change = isUnchanged ? 'unchanged' : 'published';
      const warnings = read.warnings.map(faultJson);
      print(
        shell,
        options.json,
        { ...bot, isUnchanged, warnings },
        `${key} version ${version} (${change}), bot ${id}`,
      );
    });
}

async function publish(target: Target, workspace: string, file: BotFile) {
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
