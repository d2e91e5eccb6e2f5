import { type Script, simulate } from '@parley/bot/simulate';
import type { Command } from 'commander';
import { readBot } from '../../files/bot-file.ts';
import { usageFailure } from '../../failure.ts';
import { pairs, print } from '../../output.ts';
import { hint } from '../../conversation/question-lines.ts';
import { readScript } from '../../files/script-file.ts';
import type { Shell } from '../../shell.ts';
import {
  addStartOptions,
  beginningOf,
  readStartOptions,
  type StartOptions,
  type StartValues,
} from '../../conversation/start-options.ts';
import type { GlobalOptions } from '../../target.ts';
import { converseOverLines, entryText, type Result } from '../../conversation/terminal-conversation.ts';

const example = `
Examples:
  parley bot simulate feedback.json --context productName=Skylark --customer first=Ada
  printf '2\\nToo slow\\n' | parley bot simulate feedback.json
  echo '["2", "Too slow"]' > answers.json
  parley bot simulate feedback.json --answers answers.json --json

Answers are a customer's words, or the number of a choice. An empty line skips a
question, or accepts its initial value. Ctrl-C ends the conversation. A script is an
array of answers, or {"answers": [...], "customer": {...}, "context": {...},
"locale": "...", "model": [...]}.`;

interface SimulateOptions extends GlobalOptions, StartOptions {
  answers?: string;
  asModel?: boolean;
}

export function addSimulate(bot: Command, shell: Shell): void {
  const command = bot
    .command('simulate')
    .description('run a conversation in the terminal, or from a script')
    .argument('<file>', 'the definition, as JSON or YAML')
    .option('--answers <file>', 'the answers, as a JSON array: texts, or {"value"|"text"|"skip": ...}')
    .option('--as-model', 'answer the llm steps, too; without it they fail')
    .addHelpText('after', example);
  addStartOptions(command).action(async (file: string, _, command: Command) => {
    const options = command.optsWithGlobals<SimulateOptions>();
    const { definition } = await readBot(file, shell);
    const values = readStartOptions(options, definition);
    const { json, answers, asModel = false } = options;
    if (answers === undefined) {
      const result = await converseOverLines(definition, {
        beginning: beginningOf(values),
        shell,
        isShown: !json,
        isModelPlayed: asModel,
      });
      // The reasons of rejected answers are printed already.
      return print(shell, json, result, outcome({ ...result, rejected: [] }));
    }
    if (asModel) throw usageFailure('--as-model is for the terminal: a script has "model"');
    const { state: _state, ...result } = simulate(
      definition,
      joined(await readScript(answers, shell), values),
    );
    const transcript = result.transcript.map(({ type, body }) =>
      entryText(type === 'bot' ? 'bot' : 'you', body),
    );
    print(shell, json, result, [...transcript, outcome(result)].join('\n'));
  });
}

/** The options override the script. */
function joined(script: Script, values: StartValues): Script {
  const customer = { ...script.customer, ...values.customer };
  return { ...script, ...values, customer, context: { ...script.context, ...values.context } };
}

function outcome({ ended, input, evaluation, rejected, unused }: Result): string {
  const waiting = input
    ? `The conversation waits at ${input.stepId} ${hint(input)}`
    : 'The conversation waits for the model.';
  const lines = ['', ended ? 'The conversation has ended.' : waiting];
  for (const { index, stepId, detail } of rejected)
    lines.push(`Answer ${index + 1} (${stepId}) was rejected: ${detail}`);
  if (unused > 0) lines.push(`Answers after the end: ${unused}`);
  if (Object.keys(evaluation).length > 0) lines.push('', pairs(evaluation));
  return lines.join('\n');
}
