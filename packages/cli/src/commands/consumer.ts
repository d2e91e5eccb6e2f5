import { databaseServices } from '@parley/contracts/services';
import { addConsumer } from '@parley/local/files/consumers';
import { StartError } from '@parley/local/processes/program';
import type { Command } from 'commander';
import { Failure, usageFailure } from '../failure.ts';
import { print } from '../output.ts';
import type { Shell } from '../shell.ts';
import { dataDirOf, type GlobalOptions, readRunFile } from '../target.ts';

const help = `
Examples:
  parley consumer add billing
  eval "$(parley consumer show billing)"

A consumer that was added gets its user of NATS when npm start runs the next time.`;

export function addConsumerCommands(program: Command, shell: Shell): void {
  const consumer = program
    .command('consumer')
    .description(
      "add consumers of events to a local run, and show how they reach it (another team's services)",
    )
    .addHelpText('after', help);
  consumer
    .command('add')
    .description('give a consumer a user of NATS, now and after each start')
    .argument('<name>', 'the name of the consumer and of its durable')
    .action(async (name: string, _, command: Command) => {
      const options = optionsOf(command);
      const dataDir = dataDirOf(options, shell);
      await readRunFile(dataDir, 'operator.json');
      const isNew = await addConsumer(dataDir, name).catch((error: unknown) => {
        throw error instanceof StartError ? usageFailure(error.message) : error;
      });
      print(
        shell,
        options.json,
        { name, isNew },
        `${name}: start Parley again, then: parley consumer show ${name}`,
      );
    });
  consumer
    .command('show')
    .description('print addresses, token, NATS user and certificate as variables of a shell')
    .argument('[name]', 'a consumer that was added; without it there is no NATS_URL')
    .option('--bodies', 'with the token that may also read bodies of events')
    .action(async (name: string | undefined, _, command: Command) => {
      const options = optionsOf(command);
      const run = await readRunFile(dataDirOf(options, shell), 'operator.json');
      const caller = options.bodies ? 'bodyreader' : 'consumer';
      const certificate = run.consumerTls?.[caller];
      const values = {
        ...(name !== undefined && { NATS_URL: natsUrlOf(run.consumers, name) }),
        ...Object.fromEntries(
          databaseServices.map((service) => [`${service.toUpperCase()}_ADDRESS`, run.entry(service)]),
        ),
        RPC_CALLER: caller,
        RPC_TOKEN: run.entry(options.bodies ? 'bodyReaderToken' : 'consumerToken'),
        ...(certificate && {
          RPC_TLS_CA_FILE: certificate.ca,
          RPC_TLS_CERT_FILE: certificate.cert,
          RPC_TLS_KEY_FILE: certificate.key,
        }),
      };
      const lines = Object.entries(values).map(([variable, value]) => `export ${variable}='${value}'`);
      print(shell, options.json, values, lines.join('\n'));
    });
}

function optionsOf(command: Command): GlobalOptions & { bodies?: true } {
  const options = command.optsWithGlobals<GlobalOptions & { bodies?: true }>();
  if (options.identity !== undefined || options.interaction !== undefined) {
    throw usageFailure('consumers are added to a local run; for a deployment, see docs/events.md');
  }
  return options;
}

function natsUrlOf(consumers: Record<string, string> | undefined, name: string): string {
  const url = consumers?.[name];
  if (url) return url;
  const advice = `add it with parley consumer add ${name}, and start Parley again`;
  throw new Failure(`the local run has no consumer ${name}: ${advice}`, { type: 'not-found' });
}
