import { contextNames } from '@parley/bot/definition';
import { simulate } from '@parley/bot/simulate';
import { IdentityServiceService } from '@parley/contracts/identity/v1/identity';
import { BotServiceService } from '@parley/contracts/interaction/v1/bot';
import type { Command } from 'commander';
import { readDefinition } from '../definition-file.ts';
import { pairs, print } from '../output.ts';
import { readScript } from '../script-file.ts';
import { ask, findTarget, type GlobalOptions, newCall, type Target } from '../target.ts';
import { hint, type Talk, talkOverLines } from '../terminal-talk.ts';

/** Adds `bot validate`, `bot publish` and `bot simulate`. The first and the last need no running system. */
export function addBotCommands(program: Command, env: NodeJS.ProcessEnv): void {
  const bot = program.command('bot').description('validate, publish and try out bots');

  bot
    .command('validate')
    .description('check a bot definition; lists all faults, one per line')
    .argument('<file>', 'the definition, as JSON')
    .action(async (file: string, _, command: Command) => {
      const { json } = command.optsWithGlobals<GlobalOptions>();
      const { definition } = await readDefinition(file);
      const { key, name, steps } = definition;
      const verdict = { valid: true, key, name, context: contextNames(definition), steps: steps.length };
      print(json, verdict, `${file} is a valid bot definition: ${key}, ${steps.length} steps`);
    });

  bot
    .command('publish')
    .description('create the bot in a workspace, or add a version when it has a bot of that key')
    .argument('<file>', 'the definition, as JSON')
    .requiredOption('--workspace <id>', 'the workspace')
    .action(async (file: string, _, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { workspace: string }>();
      const { definition, text } = await readDefinition(file);
      const target = await findTarget(options, env);
      const published = await publish(target, options.workspace, definition.key, text);
      const { key, version, id } = published.bot;
      const what = published.isNew ? 'published' : 'unchanged, published before';
      print(options.json, published.bot, `${key} version ${version} (${what}), bot ${id}`);
    });

  bot
    .command('simulate')
    .description('talk to a bot without a system: at the terminal, or as a script')
    .argument('<file>', 'the definition, as JSON')
    .option('--answers <file>', 'the answers, as a JSON array: texts, or {"value"|"text"|"skip": ...}')
    .action(async (file: string, _, command: Command) => {
      const { json, answers } = command.optsWithGlobals<GlobalOptions & { answers?: string }>();
      const { definition } = await readDefinition(file);
      if (answers === undefined) {
        const shown = json ? {} : { shown: process.stdout };
        const talk = await talkOverLines(definition, { lines: process.stdin, ...shown });
        print(json, talk, outcome(talk));
        return;
      }
      const { state: _state, ...talk } = simulate(definition, await readScript(answers));
      const transcript = talk.transcript.map(({ type, body }) => `${type.padEnd(8)}  ${body}`);
      print(json, talk, [...transcript, outcome(talk)].join('\n'));
    });
}

async function publish(target: Target, workspace: string, key: string, definition: string) {
  // The interaction service takes any workspace id for one that exists; identity knows.
  const { id: workspaceId } = await ask(target, 'identity', `workspace ${workspace}`, (peer) =>
    peer.client(IdentityServiceService).getWorkspace({ id: workspace }, newCall()),
  );
  return ask(target, 'interaction', `bot ${key}`, async (peer) => {
    const bots = peer.client(BotServiceService);
    const listed = await bots.listBots({ workspaceId }, newCall());
    const known = listed.bots.find((bot) => bot.key === key);
    const publication = { workspaceId, definition, idempotency: null };
    const { bot } = known
      ? await bots.publishBotVersion({ ...publication, id: known.id }, newCall())
      : await bots.createBot(publication, newCall());
    if (!bot) throw new Error('the interaction service answered without the bot');
    return { bot, isNew: bot.version !== known?.version };
  });
}

function outcome({ ended, input, evaluation, rejected, unused }: Talk): string {
  const lines = [
    '',
    ended ? 'The talk has ended.' : `The talk waits at ${input?.stepId} ${input ? hint(input) : ''}`,
  ];
  for (const { index, stepId, detail } of rejected)
    lines.push(`Answer ${index + 1} (${stepId}) was not taken: ${detail}`);
  if (unused > 0) lines.push(`Answers that came after the end: ${unused}`);
  if (Object.keys(evaluation).length > 0) lines.push('', pairs(evaluation));
  return lines.join('\n');
}
