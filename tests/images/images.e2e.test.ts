import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { databaseServices, type ServiceName, serviceNames } from '@parley/contracts/services';
import type { Command } from '@parley/local/processes/child';
import type { ServiceProcess } from '@parley/local/processes/services';
import type { System } from '@parley/local/system';
import { eventually } from '@parley/testing/eventually';
import { temporaryFolder } from '@parley/testing/setup/folders';
import { startReceiver } from '@parley/testing/peers/receiver';
import { startTestSystem } from '@parley/testing/setup/system';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createConversationWorkspace } from '../conversations/conversation.ts';
import { type Builder, type Image, openBuilder } from './build.ts';

// The images of all services, built without a container engine, and a system of their processes. The modules of this
// repository are out of their reach.

const run = promisify(execFile);
const stack = new AsyncDisposableStack();
const images = new Map<ServiceName, Image>();
/** How each process was started, by its service. */
const started = new Map<ServiceName, NodeJS.ProcessEnv>();
let builder: Builder;
let system: System;

beforeAll(async () => {
  const { path } = stack.use(await temporaryFolder('images'));
  builder = await openBuilder(path);
  await Promise.all(serviceNames.map(async (name) => void images.set(name, await builder.build(name))));
  system = stack.use(await startTestSystem({ adapt: fromImage }));
  // Seven installs and a build take a minute, and a multiple of it on a busy machine.
}, 900_000);
afterAll(() => stack.disposeAsync());

/**
 * Starts a service as its image does: the files, arguments and variables of the image, and the variables of a
 * deployment.
 */
function fromImage(command: Command, { service }: ServiceProcess): Command {
  const image = imageOf(service);
  const ofDevelopment = ['NODE_OPTIONS', 'NODE_COMPILE_CACHE'];
  const given = Object.entries(command.env ?? {}).filter(([name]) => !ofDevelopment.includes(name));
  // Loads the export of traces and metrics, which has no one to talk to.
  const OTEL_EXPORTER_OTLP_ENDPOINT = 'http://127.0.0.1:9';
  const env = { ...Object.fromEntries(given), ...image.env, OTEL_EXPORTER_OTLP_ENDPOINT };
  started.set(service, env);
  const args = ['-c', 'cd "$0" && exec "$@"', image.workdir, command.file, ...image.args];
  return { ...command, file: 'sh', args, env };
}

function imageOf(service: ServiceName): Image {
  const image = images.get(service);
  if (!image) throw new Error(`there is no image of ${service}`);
  return image;
}

/** Runs a script of an image with the variables of its service. */
async function inImage(service: ServiceName, ...args: string[]): Promise<string> {
  const options = { cwd: imageOf(service).workdir, env: { ...started.get(service) } };
  return (await run(process.execPath, args, options)).stdout;
}

test('six images share one download and one build of the files for browsers', () => {
  const counts = (step: string) => builder.commands.filter((command) => command.startsWith(step)).length;
  expect(['npm install', 'assemble fetch', 'assemble browser-files', 'node '].map(counts)).toEqual([
    1, 1, 1, 1,
  ]);
  expect(counts('assemble dependencies')).toBe(serviceNames.length);
});

test('each service starts from its image and serves a call', async () => {
  const [gateway = ''] = system.local().gateways;
  const { workspace, browser, begin } = await createConversationWorkspace(gateway, system.operator);
  await using receiver = await startReceiver();
  await workspace.api.post('/webhooks', { url: receiver.url, secretToken: 'of a test', isActive: true });
  let { id, snapshot } = await begin();
  snapshot = await browser.say(id, snapshot, { value: 9 });
  while (snapshot.input) snapshot = await browser.say(id, snapshot, { skip: true });
  await eventually(() =>
    expect(receiver.requests.map(({ body }) => JSON.parse(body.toString()) as object)).toContainEqual(
      expect.objectContaining({ interaction_id: id }),
    ),
  );
  const [bot] = (await workspace.client.bots.list()).data;
  await eventually(async () =>
    expect((await workspace.client.bots.getInsight(String(bot?.id))).totals).toMatchObject({ completed: 1 }),
  );
});

test('the gateway serves the guides, the console and the files for browsers', async () => {
  const [gateway = ''] = system.local().gateways;
  for (const [path, part] of [
    ['/readyz', '"unavailable":[]'],
    ['/docs', 'Parley'],
    ['/guides/operations', 'Backup'],
    ['/guides/runbooks/ParleyProcessDown', 'ParleyProcessDown'],
    ['/console', '<script'],
    ['/sdk/v1/loader.js', '/sdk/'],
  ]) {
    const response = await fetch(gateway + path);
    expect([path, response.status, await response.text()]).toEqual([
      path,
      200,
      expect.stringContaining(String(part)),
    ]);
  }
});

test('the commands of each image run: health check, migration', async () => {
  await Promise.all(
    databaseServices.map(async (service) => {
      const { port } = new URL(`http://${started.get(service)?.['LISTEN']}`);
      await inImage(service, 'packages/rpc/src/check-health.mjs', port);
      expect(await inImage(service, `services/${service}/src/migrate.ts`, '--dry-run')).toMatch(/^\S/);
    }),
  );
});

test('an image lists its npm packages, and has nothing of other services and of local runs', async () => {
  for (const service of serviceNames) {
    const { folder, workdir } = imageOf(service);
    const { components } = JSON.parse(
      await readFile(join(folder, 'usr/share/sbom/sbom.cdx.json'), 'utf8'),
    ) as {
      components: { name: string }[];
    };
    expect(components.map(({ name }) => name)).toContain('pino');
    const { stdout } = await run('ls', [resolve(workdir, 'services')]);
    expect(stdout.trim()).toBe(service);
    expect(await readdir(resolve(workdir, 'services', service, 'src'))).not.toContain('demo');
  }
});
