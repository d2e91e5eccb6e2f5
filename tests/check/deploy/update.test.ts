import { serviceNames } from '@parley/contracts/services';
import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtempDisposable, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';

// deploy/update with a stand-in for Docker: a file in a folder is a replica of a service.

const deploy = resolve(import.meta.dirname, '../../../deploy');

/**
 * A program that does what deploy/update asks of Docker. It writes each start and end, with the number of replicas of
 * the service afterwards, to `events`. A new replica of the service in `faulty` does not become healthy. It is `sleep`
 * too, which takes no time.
 */
const docker = `#!/bin/sh
state=$(dirname "$0")/state
count() { ls "$1" | wc -l | tr -d ' '; }
log() { echo "$1 $2, now $(count "$state/$2")" >> "$state/../events"; }
end() { for found in "$state"/*/"$1"; do rm "$found"; log "$2" "$(basename "$(dirname "$found")")"; done; }
case "$(basename "$0") $1" in
  sleep*) [ "$1" = 1 ] || echo "slept $1" >> "$state/../events"; exit 0 ;;
esac
case "$1" in
  stop) exit 0 ;;
  logs) [ "$2" = --tail ] || echo "all of $3"; exit 0 ;;
  update)
    for id in $(echo "$*" | cut -d ' ' -f 4-); do echo "$3 shares for $id" >> "$state/../events"; done
    exit 0 ;;
  rm) if [ "$2" = -f ]; then end "$3" removed; else end "$2" replaced; fi; exit 0 ;;
esac
shift 5 # compose -f FILE --env-file FILE
case "$1" in
  ps) ls "$state/$3" ;;
  exec) # The balancer finds the first new replica at its second look.
    seen=$(grep -c 'balancer asked' "$state/../events")
    echo "balancer asked" >> "$state/../events"
    echo $(($(count "$state/gateway") - (seen == 0))) ;;
  up)
    case "$*" in *' --no-deps --no-recreate '*) ;; *) exit 3 ;; esac
    waits=; case "$*" in *' --wait '*) waits=1 ;; esac
    while [ "$1" != --scale ]; do shift; done
    service=\${2%=*}
    started=$(grep -c started "$state/../events")
    while [ "$(count "$state/$service")" -lt "\${2#*=}" ]; do
      started=$((started + 1))
      touch "$state/$service/new-$service-$started"
    done
    [ -n "$waits" ] || { log started "$service"; exit 0; }
    log ready "$service"
    [ "$service" != "$(cat "$state/../faulty" 2> /dev/null)" ] ;;
esac
`;

/** Runs deploy/update in a folder with replicas: their number by service. Returns its exit code, output and effects. */
async function run(replicas: Record<string, number>, args: string[] = [], faulty = '') {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'parley-update-'));
  const at = (...parts: string[]): string => join(folder.path, ...parts);
  for (const name of ['docker', 'sleep']) await writeFile(at(name), docker, { mode: 0o755 });
  for (const name of ['update', 'services.sh']) await copyFile(join(deploy, name), at(name));
  await writeFile(at('events'), '');
  if (faulty) await writeFile(at('faulty'), faulty);
  for (const [service, count] of Object.entries(replicas)) {
    await mkdir(at('state', service), { recursive: true });
    for (let index = 0; index < count; index += 1)
      await writeFile(at('state', service, `old-${index}-${service}`), '');
  }
  const env = { PATH: `${folder.path}:${process.env['PATH']}` };
  const {
    code = 0,
    stdout,
    stderr,
  } = (await promisify(execFile)('sh', [at('update'), ...args], { env }).catch(
    (error: { code: number; stdout: string; stderr: string }) => error,
  )) as { code?: number; stdout: string; stderr: string };
  const events = (await readFile(at('events'), 'utf8')).split('\n').filter(Boolean);
  const running = await Promise.all(
    Object.keys(replicas).map(async (service) => {
      const names = await readdir(at('state', service));
      return [service, names.map((name) => name.split('-')[0])] as const;
    }),
  );
  const kept = await readdir(at('logs')).catch((): string[] => []);
  const log = kept[0] && gunzipSync(await readFile(at('logs', kept[0]))).toString();
  return { code, output: stdout + stderr, events, running: Object.fromEntries(running), kept, log };
}

const oneOfEach = Object.fromEntries(serviceNames.map((name) => [name, 1]));

test('every replica is replaced, and a service never has fewer replicas than before', async () => {
  const replicas = { ...oneOfEach, interaction: 2, gateway: 2 };
  const { code, output, events, running } = await run(replicas);
  expect([code, output]).toEqual([
    0,
    Object.entries(replicas)
      .map(([service, count]) => `${service}: replaced ${count}\n`)
      .join(''),
  ]);
  for (const [service, count] of Object.entries(replicas)) {
    expect(running[service]).toEqual(Array.from({ length: count }, () => 'new'));
    const own = events.filter((event) => event.includes(` ${service},`));
    const more = count + 1;
    const expected = [`started ${service}, now ${more}`, `ready ${service}, now ${more}`];
    expected.push(`replaced ${service}, now ${count}`);
    expect(own).toEqual(Array.from({ length: count }, () => expected).flat());
  }
});

test('without names, an optional service without replicas is passed over, and a required one is not', async () => {
  const replicas = { ...oneOfEach, insight: 0 };
  expect(await run(replicas)).toMatchObject({ code: 0, running: { insight: [], gateway: ['new'] } });
  const named = await run(replicas, ['insight']);
  expect(named).toMatchObject({ code: 1, output: expect.stringContaining('insight has no replica') });
  const lacking = await run({ ...replicas, customer: 0 });
  expect(lacking).toMatchObject({ code: 1, output: expect.stringContaining('customer has no replica') });
});

test('a gateway stops only after the balancer uses its successor', async () => {
  const { events } = await run({ gateway: 1 }, ['gateway']);
  expect(events.filter((event) => !event.includes('shares'))).toEqual([
    'started gateway, now 2',
    'ready gateway, now 2',
    'balancer asked',
    'balancer asked',
    'replaced gateway, now 1',
  ]);
});

test('a replica starts with the processor time that calls leave, and its callers find it before the old one stops', async () => {
  const { events } = await run({ customer: 1 }, ['customer']);
  expect(events).toEqual([
    'started customer, now 2',
    '64 shares for new-customer-1',
    'ready customer, now 2',
    '1024 shares for new-customer-1',
    'slept 6',
    'replaced customer, now 1',
  ]);
});

test('the log of a replaced replica is kept, and so is that of a new one that fails', async () => {
  const { kept, log } = await run({ customer: 1 }, ['customer']);
  expect(kept).toEqual([expect.stringMatching(/^customer-\d{8}T\d{6}Z-old-0-custom\.log\.gz$/)]);
  expect(log).toBe('all of old-0-customer\n');
  expect((await run({ identity: 1 }, ['identity'], 'identity')).log).toBe('all of new-identity-1\n');
  const { kept: newest } = await run({ customer: 12 }, ['customer']);
  expect(newest).toHaveLength(10);
});

test('a new replica that does not become ready is removed, and nothing else changes', async () => {
  const { code, output, running } = await run(
    { identity: 2, customer: 1 },
    ['identity', 'customer'],
    'identity',
  );
  expect(code).toBe(1);
  expect(output).toBe(
    'identity: the new replica did not become ready and is removed. The others still run.\n',
  );
  expect(running).toEqual({ identity: ['old', 'old'], customer: ['old'] });
});

test('a wrong name is rejected before anything is replaced', async () => {
  const { code, output, events } = await run({ identity: 1 }, ['identity', 'postgres']);
  expect([code, events]).toEqual([2, []]);
  expect(output).toContain('usage: sh deploy/update');
  expect(await run({}, ['--help'])).toMatchObject({ code: 0, output });
});
