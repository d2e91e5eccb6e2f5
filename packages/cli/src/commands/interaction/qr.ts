import { extname } from 'node:path';
import type { Command } from 'commander';
import { type Api, apiCommand, called } from '../../api.ts';
import { usageFailure } from '../../failure.ts';
import { writeOutput } from '../../files/text-file.ts';
import type { Shell } from '../../shell.ts';

interface Source {
  /** Whether the key of a bot comes before the id. */
  withBot?: true;
  read(api: Api, id: string, format: 'svg' | 'png', bot?: string): Promise<Uint8Array>;
}

/** Adds the command `qr` of a kind of things that have a link. */
export function addQr(parent: Command, shell: Shell, kind: string, example: string, source: Source): void {
  const command = parent.command('qr').description('save the link as a QR code');
  if (source.withBot) command.argument('<bot>', 'the key of the bot');
  command
    .argument('<id>', `the ${kind}`)
    .requiredOption('--output <file>', 'the file: .svg or .png')
    .addHelpText('after', `\nExample:\n  ${example} --output qr.svg`);
  apiCommand<{ output: string }>(command, shell, async ({ options: { output }, open, print }) => {
    const [id = '', bot] = command.args.toReversed();
    const format = formatOf(output);
    const api = await open();
    await writeOutput(output, await called(source.read(api, id, format, bot), `${kind} ${id}`), shell);
    print({ id, file: output }, `${output} has the QR code of ${kind} ${id}`);
  });
}

function formatOf(file: string): 'svg' | 'png' {
  const format = extname(file).slice(1).toLowerCase();
  if (format === 'svg' || format === 'png') return format;
  throw usageFailure(`--output: ${file} must end in .svg or .png`);
}
