import type { OpenLink } from '@parley/client';
import type { Command } from 'commander';
import { addApiOptions, apiHelp, type ApiOptions, called, openApi } from '../../api.ts';
import { usageFailure } from '../../failure.ts';
import { repeated } from '../../options/repeated.ts';
import { print, table, utc } from '../../output.ts';
import type { Shell } from '../../shell.ts';
import { addQr } from '../interaction/qr.ts';

const someId = '01939f6a-2f40-7c3a-9d55-0123456789ab';
const key = 'nps-follow-up';

interface CreateOptions extends ApiOptions {
  name: string;
  expiresAt?: string;
  responsesMax?: number;
  contextKey?: string[];
  test?: true;
}

/** Links by which anybody can hold a conversation. Each command names the bot by its key. */
export function addOpenLink(bot: Command, shell: Shell): void {
  const link = bot
    .command('open-link')
    .description('links by which anybody can hold a conversation with a bot');
  addCreate(link, shell);
  addList(link, shell);
  addClose(link, shell, 'close', 'take no responses until it is opened again', true);
  addClose(link, shell, 'open', 'take responses again', false);
  addDelete(link, shell);
  addQr(link, shell, 'open link', `parley bot open-link qr ${key} ${someId}`, {
    withBot: true,
    read: async ({ workspace, botId }, id, format, bot = '') =>
      workspace.bots.openLinks.qr(await botId(bot), id, { format }),
  });
}

function addCreate(link: Command, shell: Shell): void {
  const command = link
    .command('create')
    .description('create a link, and print its URL')
    .argument('<bot>', 'the key of the bot')
    .requiredOption('--name <name>', 'what it is for')
    .option('--expires-at <instant>', 'when it expires; default: never')
    .option('--responses-max <n>', 'how many conversations it begins at most; default: any number', readCount)
    .option('--context-key <key>', 'a parameter of the URL that becomes context (repeatable)', repeated)
    .option('--test', 'its conversations are tests')
    .addHelpText(
      'after',
      `\nExample:\n  parley bot open-link create ${key} --name 'Table 7' --responses-max 500\n${apiHelp}`,
    );
  addApiOptions(command).action(async (bot: string, _, command: Command) => {
    const options = command.optsWithGlobals<CreateOptions>();
    const { name, expiresAt, responsesMax, contextKey: contextKeys, test } = options;
    const { workspace, botId } = await openApi(options, shell);
    const body = {
      name,
      ...(expiresAt !== undefined && { expiresAt }),
      ...(responsesMax !== undefined && { responsesMax }),
      ...(contextKeys && { contextKeys }),
      ...(test && { isTest: true }),
    };
    const created = await called(workspace.bots.openLinks.create(await botId(bot), body));
    print(shell, options.json, created, created.url);
  });
}

function addList(link: Command, shell: Shell): void {
  const command = link
    .command('list')
    .description('list the links of a bot, newest first')
    .argument('<bot>', 'the key of the bot')
    .addHelpText('after', `\nExample:\n  parley bot open-link list ${key}\n${apiHelp}`);
  addApiOptions(command).action(async (bot: string, _, command: Command) => {
    const options = command.optsWithGlobals<ApiOptions>();
    const { workspace, botId } = await openApi(options, shell);
    const links: OpenLink[] = [];
    const list = workspace.bots.openLinks.list(await botId(bot), { limit: 50 });
    await called(
      (async () => {
        for await (const one of list) links.push(one);
      })(),
    );
    const rows = links.map(({ id, name, responses, responsesMax, expiresAt, isClosed, url }) => [
      id,
      name,
      responsesMax === null ? String(responses) : `${responses} of ${responsesMax}`,
      utc(expiresAt),
      isClosed ? 'closed' : 'open',
      url,
    ]);
    const heading = ['LINK', 'NAME', 'RESPONSES', 'EXPIRES', 'STATE', 'URL'];
    print(shell, options.json, links, table(heading, rows, 'The bot has no open links.'));
  });
}

function addClose(link: Command, shell: Shell, name: string, about: string, isClosed: boolean): void {
  const command = link
    .command(name)
    .description(about)
    .argument('<bot>', 'the key of the bot')
    .argument('<id>', 'the link')
    .addHelpText('after', `\nExample:\n  parley bot open-link ${name} ${key} ${someId}\n${apiHelp}`);
  addApiOptions(command).action(async (bot: string, id: string, _, command: Command) => {
    const options = command.optsWithGlobals<ApiOptions>();
    const { workspace, botId } = await openApi(options, shell);
    const changed = workspace.bots.openLinks.update(await botId(bot), id, { isClosed });
    const result = await called(changed, `open link ${id}`);
    print(shell, options.json, result, `open link ${id} is ${isClosed ? 'closed' : 'open'}`);
  });
}

function addDelete(link: Command, shell: Shell): void {
  const command = link
    .command('delete')
    .description('delete a link; conversations that it has begun stay')
    .argument('<bot>', 'the key of the bot')
    .argument('<id>', 'the link')
    .addHelpText('after', `\nExample:\n  parley bot open-link delete ${key} ${someId}\n${apiHelp}`);
  addApiOptions(command).action(async (bot: string, id: string, _, command: Command) => {
    const options = command.optsWithGlobals<ApiOptions>();
    const { workspace, botId } = await openApi(options, shell);
    await called(workspace.bots.openLinks.delete(await botId(bot), id), `open link ${id}`);
    print(shell, options.json, { id }, `open link ${id} is deleted`);
  });
}

function readCount(text: string): number {
  const count = Number(text);
  if (/^\d+$/.test(text) && count >= 1) return count;
  throw usageFailure('--responses-max must be a whole number from 1');
}
