import type { Command } from 'commander';
import { allOf, apiCommand, called } from '../../api.ts';
import { repeated } from '../../options/repeated.ts';
import { wholeNumber } from '../../options/whole-number.ts';
import { table, utc } from '../../output.ts';
import type { Shell } from '../../shell.ts';
import { addQr } from '../interaction/qr.ts';

const someId = '01939f6a-2f40-7c3a-9d55-0123456789ab';
const key = 'nps-follow-up';

interface CreateOptions {
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
    .option(
      '--responses-max <n>',
      'how many conversations it begins at most; default: any number',
      wholeNumber('--responses-max'),
    )
    .option('--context-key <key>', 'a parameter of the URL that becomes context (repeatable)', repeated)
    .option('--test', 'its conversations are tests')
    .addHelpText(
      'after',
      `\nExample:\n  parley bot open-link create ${key} --name 'Table 7' --responses-max 500`,
    );
  apiCommand<CreateOptions>(command, shell, async ({ options, open, print }, bot: string) => {
    const { name, expiresAt, responsesMax, contextKey: contextKeys, test } = options;
    const { workspace, botId } = await open();
    const body = {
      name,
      ...(expiresAt !== undefined && { expiresAt }),
      ...(responsesMax !== undefined && { responsesMax }),
      ...(contextKeys && { contextKeys }),
      ...(test && { isTest: true }),
    };
    const created = await called(workspace.bots.openLinks.create(await botId(bot), body));
    print(created, created.url);
  });
}

function addList(link: Command, shell: Shell): void {
  const command = link
    .command('list')
    .description('list the links of a bot, newest first')
    .argument('<bot>', 'the key of the bot')
    .addHelpText('after', `\nExample:\n  parley bot open-link list ${key}`);
  apiCommand(command, shell, async ({ open, print }, bot: string) => {
    const { workspace, botId } = await open();
    const links = await called(allOf(workspace.bots.openLinks.list(await botId(bot), { limit: 50 })));
    const rows = links.map(({ id, name, responses, responsesMax, expiresAt, isClosed, url }) => [
      id,
      name,
      responsesMax === null ? String(responses) : `${responses} of ${responsesMax}`,
      utc(expiresAt),
      isClosed ? 'closed' : 'open',
      url,
    ]);
    const heading = ['LINK', 'NAME', 'RESPONSES', 'EXPIRES', 'STATE', 'URL'];
    print(links, table(heading, rows, 'The bot has no open links.'));
  });
}

function addClose(link: Command, shell: Shell, name: string, about: string, isClosed: boolean): void {
  const command = link
    .command(name)
    .description(about)
    .argument('<bot>', 'the key of the bot')
    .argument('<id>', 'the link')
    .addHelpText('after', `\nExample:\n  parley bot open-link ${name} ${key} ${someId}`);
  apiCommand(command, shell, async ({ open, print }, bot: string, id: string) => {
    const { workspace, botId } = await open();
    const changed = workspace.bots.openLinks.update(await botId(bot), id, { isClosed });
    const result = await called(changed, `open link ${id}`);
    print(result, `open link ${id} is ${isClosed ? 'closed' : 'open'}`);
  });
}

function addDelete(link: Command, shell: Shell): void {
  const command = link
    .command('delete')
    .description('delete a link; conversations that it has begun stay')
    .argument('<bot>', 'the key of the bot')
    .argument('<id>', 'the link')
    .addHelpText('after', `\nExample:\n  parley bot open-link delete ${key} ${someId}`);
  apiCommand(command, shell, async ({ open, print }, bot: string, id: string) => {
    const { workspace, botId } = await open();
    await called(workspace.bots.openLinks.delete(await botId(bot), id), `open link ${id}`);
    print({ id }, `open link ${id} is deleted`);
  });
}
