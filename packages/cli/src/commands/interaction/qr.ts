import { extname } from 'node:path';
import type { Command } from 'commander';
import { addApiOptions, type Api, apiHelp, type ApiOptions, called, openApi } from '../../api.ts';
import { usageFailure } from '../../failure.ts';
import { writeOutput } from '../../files/text-file.ts';
import { print } from '../../output.ts';
import type { Shell } from '../../shell.ts';

type ReadQr = (workspace: Api['workspace'], id: string, format: 'svg' | 'png') => Promise<Uint8Array>;

/** Adds the command `qr` to those of a kind of things that have a link. */
export function addQr(parent: Command, shell: Shell, kind: string, example: string, read: ReadQr): void {
  const command = parent
    .command('qr')
    .description('save the link as a QR code')
    .argument('<id>', `the ${kind}`)
    .requiredOption('--output <file>', 'the file: .svg or .png')
    .addHelpText('after', `\nExample:\n  ${example} --output qr.svg\n${apiHelp}`);
  addApiOptions(command).action(async (id: string, _, command: Command) => {
    const { output, ...options } = command.optsWithGlobals<ApiOptions & { output: string }>();
    const format = formatOf(output);
    const { workspace } = await openApi(options, shell);
    await writeOutput(output, await called(read(workspace, id, format), `${kind} ${id}`), shell);
    print(shell, options.json, { id, file: output }, `${output} has the QR code of ${kind} ${id}`);
  });
}

function formatOf(file: string): 'svg' | 'png' {
  const format = extname(file).slice(1).toLowerCase();
  if (format === 'svg' || format === 'png') return format;
  throw usageFailure(`--output: ${file} must end in .svg or .png`);
}
