import { type Script, simulate } from '@parley/bot/simulate';
import type { Command } from 'commander';
import {
  addBeginningOptions,
  type BeginningOptions,
  customerOf,
  type Given,
  readBeginning,
} from '../../beginning.ts';
import { type BotFile, readBot } from '../../bot-file.ts';
import { usageFailure } from '../../failure.ts';
import { pairs, print } from '../../output.ts';
import { parley } from '../../own-command.ts';
import { hint } from '../../question-lines.ts';
import { readScript } from '../../script-file.ts';
import type { GlobalOptions } from '../../target.ts';
import { spoken, type Talk, talkOverLines } from '../../terminal-talk.ts';

const example = `
Examples:
  ${parley} bot simulate feedback.json --context productName=Skylark --customer first=Ada
  printf '2\\nToo slow\\n' | ${parley} bot simulate feedback.json
  echo '["2", "Too slow"]' > answers.json
  ${parley} bot simulate feedback.json --answers answers.json --json

Answers are what a customer would write: text, or the number of a choice. An empty
line skips a question, or takes what its field holds at first. Ctrl-C ends the
talk. A script is an array of answers, or {"answers": [...], "customer": {...},
"context": {...}, "locale": "...", "model": [...]}.`;

interface SimulateOptions extends GlobalOptions, BeginningOptions {
  answers?: string;
  asModel?: boolean;
}

/** Adds `bot simulate`. */
export function addSimulate(bot: Command): void {
  const command = bot
    .command('simulate')
    .description('talk to a bot without a system: at the terminal, or as a script')
    .argument('<file>', 'the definition, as JSON')
    .option('--answers <file>', 'the answers, as a JSON array: texts, or {"value"|"text"|"skip": ...}')
    .option('--as-model', 'answer the llm steps, too; without it they fail')
    .addHelpText('after', example);
  addBeginningOptions(command).action(async (file: string, _, command: Command) => {
    const options = command.optsWithGlobals<SimulateOptions>();
    const read = await readBot(file);
    const given = readBeginning(options, read.definition);
    const { json, answers, asModel = false } = options;
    if (answers === undefined) return talkAtTerminal(read, given, json, asModel);
    if (asModel) throw usageFailure('--as-model is for a talk at the terminal: a script has "model"');
    const { state: _state, ...talk } = simulate(read.definition, joined(await readScript(answers), given));
    const transcript = talk.transcript.map(({ type, body }) => spoken(type === 'bot' ? 'bot' : 'you', body));
    print(json, talk, [...transcript, outcome(talk)].join('\n'));
  });
}

async function talkAtTerminal(
  { definition }: BotFile,
  given: Given,
  json: boolean | undefined,
  isModelPlayed: boolean,
): Promise<void> {
  const talk = await talkOverLines(definition, {
    beginning: { ...given, customer: customerOf(given.customer) },
    lines: process.stdin,
    shown: json ? undefined : process.stdout,
    isModelPlayed,
  });
  // What was not taken has been said.
  print(json, talk, outcome({ ...talk, rejected: [] }));
}

/** The command line says more than the script. */
function joined(script: Script, given: Given): Script {
  const customer = { ...script.customer, ...given.customer };
  return { ...script, ...given, customer, context: { ...script.context, ...given.context } };
}

function outcome({ ended, input, evaluation, rejected, unused }: Talk): string {
  const waiting = input
    ? `The talk waits at ${input.stepId} ${hint(input)}`
    : 'The talk waits for the model.';
  const lines = ['', ended ? 'The talk has ended.' : waiting];
  for (const { index, stepId, detail } of rejected)
    lines.push(`Answer ${index + 1} (${stepId}) was not taken: ${detail}`);
  if (unused > 0) lines.push(`Answers that came after the end: ${unused}`);
  if (Object.keys(evaluation).length > 0) lines.push('', pairs(evaluation));
  return lines.join('\n');
}
