import type { Command, Option } from 'commander';

/**
 * Lets the program complain about an option that it does not know before it misses one that it requires: where both are
 * so, the first is the second with a slip in it. Called when all commands are there.
 */
export function missRequiredLast(program: Command): void {
  const required = new Set<Option>();
  for (const command of commandsBelow(program)) {
    for (const option of command.options.filter(({ mandatory }) => mandatory)) {
      required.add(option);
      option.mandatory = false;
    }
  }
  program.hook('preAction', (_, command) => {
    const missing = command.options.find(
      (option) => required.has(option) && command.getOptionValue(option.attributeName()) === undefined,
    );
    if (missing) command.error(`error: required option '${missing.flags}' not specified`);
  });
}

function commandsBelow(command: Command): Command[] {
  return command.commands.flatMap((one) => [one, ...commandsBelow(one)]);
}
