import type { Command } from 'commander';
import { addCreate } from './bot/create.ts';
import { addDiff } from './bot/diff.ts';
import { addDraft } from './bot/draft.ts';
import { addImport } from './bot/import.ts';
import { addInsight } from './bot/insight.ts';
import { addList } from './bot/list.ts';
import { addNew } from './bot/new.ts';
import { addOpenLink } from './bot/open-link.ts';
import { addPreview } from './bot/preview.ts';
import { addPublish } from './bot/publish.ts';
import { addPull } from './bot/pull.ts';
import { addReplay } from './bot/replay.ts';
import { addRollback } from './bot/rollback.ts';
import { addSchema } from './bot/schema.ts';
import { addSimulate } from './bot/simulate.ts';
import { addTranslations } from './bot/translations.ts';
import { addValidate } from './bot/validate.ts';
import { addVersions } from './bot/versions.ts';
import type { Shell } from '../shell.ts';

/** Commands in the second half need a running system. */
export function addBotCommands(program: Command, shell: Shell): void {
  const bot = program.command('bot').description('write, check, try out and publish bots');
  addNew(bot, shell);
  addValidate(bot, shell);
  addSimulate(bot, shell);
  addPreview(bot, shell);
  addSchema(bot, shell);
  addTranslations(bot, shell);
  addCreate(bot, shell);
  addPublish(bot, shell);
  addDraft(bot, shell);
  addImport(bot, shell);
  addList(bot, shell);
  addPull(bot, shell);
  addReplay(bot, shell);
  addVersions(bot, shell);
  addDiff(bot, shell);
  addRollback(bot, shell);
  addInsight(bot, shell);
  addOpenLink(bot, shell);
}
