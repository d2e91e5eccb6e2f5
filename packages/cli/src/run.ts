import { Command, CommanderError, Help, type Option } from 'commander';
import manifest from '../package.json' with { type: 'json' };
import { addApplyCommands } from './commands/apply.ts';
import { addAuditCommand } from './commands/audit.ts';
import { addBotCommands } from './commands/bot.ts';
import { addConsoleCommands } from './commands/console.ts';
import { addConsumerCommands } from './commands/consumer.ts';
import { addCustomerCommands } from './commands/customer.ts';
import { addEnvCommand } from './commands/env.ts';
import { addExportCommand } from './commands/export.ts';
import { addErasureCommands } from './commands/erasure.ts';
import { addInsightCommands } from './commands/insight.ts';
import { addInteractionCommands } from './commands/interaction.ts';
import { addKeyCommands } from './commands/key.ts';
import { addKeysCommand } from './commands/keys.ts';
import { addMemberCommands } from './commands/member.ts';
import { addMigrateCommand } from './commands/migrate.ts';
import { addContactPolicyCommands } from './commands/customer/contact-policy.ts';
import { addRetentionCommands } from './commands/retention.ts';
import { addStatusCommand } from './commands/status.ts';
import { addWebhookCommands } from './commands/webhook.ts';
import { addWorkspaceCommands } from './commands/workspace.ts';
import { Exit, type Failure, usageFailure } from './failure.ts';
import { printFailure, toFailure } from './output.ts';
import type { Shell } from './shell.ts';

const help = `
Paths are relative to the current folder. A command works on the local run of a
data folder, or with --identity on a deployment, whose operator token is in
PARLEY_OPERATOR_TOKEN. With --json, standard output has exactly one JSON value,
and an error is a JSON object on standard error. Exit codes: 0 success, 1 failure,
2 wrong usage; of plan 0 no difference, 1 failure, 2 a difference.`;

/** Returns the exit code. */
export async function run(args: string[], shell: Shell): Promise<number> {
  const json = args.includes('--json');
  const program = createProgram(args, shell);
  try {
    await program.parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    if (error instanceof Exit) return error.exitCode;
    const command = namedBy(args, program);
    const failure = error instanceof CommanderError ? usageOf(error, command) : toFailure(error);
    // Without a subcommand, commander has already printed the help.
    const isPrinted = error instanceof CommanderError && error.code === 'commander.help' && !json;
    if (!isPrinted) printFailure(shell, json, failure);
    // Its code 2 is a difference.
    return command === 'parley plan' ? 1 : failure.exitCode;
  }
}

function createProgram(args: readonly string[], shell: Shell): Command {
  const json = args.includes('--json');
  const program = new Command('parley')
    .description('Administers Parley: workspaces, keys, bots, customers, interactions, webhooks and schemas.')
    .option('--json', 'print one JSON value')
    .option('--data-dir <dir>', 'data folder of a local run (PARLEY_DATA_DIR, else .parley)')
    .option('--identity <address>', 'the identity service of a deployment, host:port')
    .option('--interaction <address>', 'its interaction service, host:port (to publish bots)')
    .configureHelp({ showGlobalOptions: true, optionDescription })
    .configureOutput({
      outputError: () => {},
      writeOut: (text) => void shell.stdout.write(text),
      writeErr: (text) => void (json || shell.stderr.write(text)),
    })
    .exitOverride()
    .addHelpText('after', help)
    .on('beforeAllHelp', () => refuseUnknownCommand(program));
  addWorkspaceCommands(program, shell);
  addKeyCommands(program, shell);
  addConsoleCommands(program, shell);
  addMemberCommands(program, shell);
  addBotCommands(program, shell);
  addExportCommand(program, shell);
  addWebhookCommands(program, shell);
  addCustomerCommands(program, shell);
  addErasureCommands(program, shell);
  addInteractionCommands(program, shell);
  addRetentionCommands(program, shell);
  addContactPolicyCommands(program, shell);
  addApplyCommands(program, shell);
  addEnvCommand(program, shell);
  addConsumerCommands(program, shell);
  addMigrateCommand(program, shell);
  addKeysCommand(program, shell);
  addInsightCommands(program, shell);
  addAuditCommand(program, shell);
  addStatusCommand(program, shell);
  // A command may have a `--version` of its own.
  const hasCommand = program.commands.some((one) => args.includes(one.name()));
  return program.version(manifest.version, hasCommand ? '-V' : '-V, --version', 'the version of Parley');
}

function optionDescription(option: Option): string {
  const text = new Help().optionDescription(option);
  return option.mandatory ? `${text} (required)` : text;
}

// A command with subcommands would print its own help for an unknown one.
function refuseUnknownCommand(program: Command): void {
  let command = program;
  for (const name of program.args) {
    if (name.startsWith('-') || name === 'help') continue;
    if (command.commands.length === 0) return;
    command =
      command.commands.find((one) => one.name() === name) ??
      command.error(`error: unknown command '${name}'`);
  }
}

function usageOf({ code, message }: CommanderError, command: string): Failure {
  const reason = code === 'commander.help' ? 'a command is missing' : message.replace(/^error: /, '');
  return usageFailure(`${reason} (see ${command} --help)`);
}

/** Returns the command that the arguments name, such as `parley key create`. */
function namedBy(args: readonly string[], program: Command): string {
  const path = [program];
  for (const arg of args) path.push(...(path.at(-1)?.commands.filter((one) => one.name() === arg) ?? []));
  return path.map((one) => one.name()).join(' ');
}
