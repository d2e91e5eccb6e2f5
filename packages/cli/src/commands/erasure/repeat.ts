import { CustomerAdminServiceService } from '@parley/contracts/customer/v1/customer';
import type { Command } from 'commander';
import { z } from 'zod';
import { counted } from '../../counted.ts';
import { Failure } from '../../failure.ts';
import { print } from '../../output.ts';
import type { Shell } from '../../shell.ts';
import { ask, findTarget, newCall, type TargetOptions } from '../../target.ts';
import { readText } from '../../files/text-file.ts';

const example = `
Example:
  sh deploy/erasures 2026-11-27T04:00:00Z > erasures.jsonl
  parley erasure repeat erasures.jsonl --customer 127.0.0.1:50053

For the operator, after the restore of a backup. FILE has one JSON object a line: workspaceId,
customerId, kind (anonymisation or deletion) and requestedAt. A customer that was created after
requestedAt is passed over, and an anonymisation of one that does not exist. A deletion is repeated
without a customer too: other services may have its data. The removals continue after the command.
It can run again.`;

const bytesMax = 256 * 1024 * 1024;

const line = z.object({
  workspaceId: z.uuid(),
  customerId: z.string().min(1),
  kind: z.enum(['anonymisation', 'deletion']),
  requestedAt: z.iso.datetime({ offset: true }).transform((value) => new Date(value)),
});

export function addRepeat(erasure: Command, shell: Shell): void {
  erasure
    .command('repeat')
    .description('repeat the erasures that a restore of a backup has undone')
    .argument('<file>', 'the erasures, as deploy/erasures lists them')
    .option('--customer <address>', 'the customer service of a deployment, host:port')
    .addHelpText('after', example)
    .action(async (file: string, _, command: Command) => {
      const options = command.optsWithGlobals<TargetOptions>();
      const erasures = parse(await readText(file, shell, bytesMax), file);
      let repeated = 0;
      await ask(await findTarget(options, shell), 'customer', 'customer', async (peer) => {
        const admin = peer.client(CustomerAdminServiceService);
        for (const one of erasures) if ((await admin.repeatErasure(one, newCall())).erasureId) repeated += 1;
      });
      const passedOver = erasures.length - repeated;
      const text = `${counted(repeated, 'erasure')} repeated, ${passedOver} passed over`;
      print(shell, options.json, { repeated, passedOver }, text);
    });
}

/** Reads all lines before the first call. Throws a `Failure` that names the line. */
function parse(text: string, file: string): z.output<typeof line>[] {
  return text.split(/\r?\n/).flatMap((given, index) => {
    if (given.trim() === '') return [];
    try {
      return line.parse(JSON.parse(given));
    } catch (cause) {
      throw new Failure(`${file}, line ${index + 1} is not an erasure`, { type: 'invalid-file', cause });
    }
  });
}
