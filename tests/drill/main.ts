import { parseArgs } from 'node:util';
import { runDrill } from './drill.ts';

const help = `usage: npm run drill -- [FLAGS]

Puts load on a system, backs it up, destroys its database and its NATS data, restores it, and
compares every completion of the restored data with what a receiver got.

  --rate N     completions per second (8)
  --load N     seconds of load before and after the backup (10)
  --apart N    dump each service by itself, N seconds apart (default: all in one dump)
  --help       this text

Needs PostgreSQL 15 with its client programs, installed below /usr/lib/postgresql/15, or apt-get to
fetch Debian's packages. Exit code 1 if a completion of the restored data was never delivered.
`;

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      rate: { type: 'string', default: '8' },
      load: { type: 'string', default: '10' },
      apart: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(help);
    return 0;
  }
  const [perSecond, loadSeconds] = [Number(values.rate), Number(values.load)];
  const apartSeconds = values.apart === undefined ? undefined : Number(values.apart);
  if (!(perSecond > 0) || !(loadSeconds > 0) || !((apartSeconds ?? 0) >= 0)) {
    process.stderr.write('--rate, --load and --apart must be numbers (see --help)\n');
    return 2;
  }
  const show = (line: string): void => console.error(line);
  const report = await runDrill({ perSecond, loadSeconds, apartSeconds, show });
  const { acknowledged, restored, late, undelivered, recoveryPoint, served, delivered } = report;
  console.log(
    [
      `completions:    ${acknowledged} acknowledged, ${restored} in the restored data`,
      `delivered:      ${restored - undelivered.length} of ${restored}, ${late - undelivered.length} after the restore`,
      `recovery point: ${recoveryPoint.toFixed(1)} s before the loss`,
      `recovery time:  ${served.toFixed(1)} s until the API served, ${delivered.toFixed(1)} s until all was delivered`,
    ].join('\n'),
  );
  for (const id of undelivered) console.log(`never delivered: ${id}`);
  return undelivered.length === 0 ? 0 : 1;
}

process.exit(await main());
