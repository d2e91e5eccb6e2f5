import type { Command } from 'commander';
import { addNew } from './bot/new.ts';
import { addPreview } from './bot/preview.ts';
import { addPublish } from './bot/publish.ts';
import { addSchema } from './bot/schema.ts';
import { addSimulate } from './bot/simulate.ts';
import { addValidate } from './bot/validate.ts';
import type { Shell } from '../shell.ts';

/** Adds the commands of a bot's author. All but `bot publish` need no running system. */
export function addBotCommands(program: Command, shell: Shell): void {
  const bot = program.command('bot').description('write, check, try out and publish bots');
  addNew(bot, shell);
  addValidate(bot, shell);
  addSimulate(bot, shell);
  addPreview(bot, shell);
  addPublish(bot, shell);
  addSchema(bot, shell);
}
