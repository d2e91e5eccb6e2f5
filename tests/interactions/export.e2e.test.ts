import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, request as forward, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient, type ExportedInteraction } from '@parley/client';
import { createWorkspace, type TestWorkspace } from '@parley/testing/api';
import { eventually } from '@parley/testing/eventually';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { runCommand } from '../../packages/cli/tests/run-command.ts';
import { npsBot } from '../conversations/sample-bots.ts';

// Contract 2, section 10: export, and the filters of lists.

const { baseUrl } = inject('local');
const botKey = 'nps-follow-up';
const nasty = ['=1+1', '-2', 'Zoë, "Grüße"', '00491701234567890123', '+49 170 1'];

let workspace: TestWorkspace;
let folder: string;
const ids: string[] = [];
beforeAll(async () => {
  workspace = await createWorkspace(baseUrl, inject('operator'));
  folder = await mkdtemp(join(tmpdir(), 'parley-export-'));
  await workspace.publish(npsBot);
  for (const customerId of nasty) {
    const { id } = await workspace.client.interactions.create({
      customerId,
      botKey,
      status: 'Completed',
    });
    ids.push(id);
  }
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs `parley export` with the API key of the workspace. */
const parley = (args: string[], url = baseUrl) =>
  runCommand(['export', ...args], {
    cwd: folder,
    env: { PARLEY_URL: url, PARLEY_API_KEY: workspace.apiKey, PARLEY_API_SECRET: workspace.apiSecret },
  });

/** The lines of an export, when no transaction of another test holds them back. */
const exported = (query: Parameters<typeof workspace.client.interactions.export>[0] = {}) =>
  eventually(async () => {
    const rows: ExportedInteraction[] = [];
    const interactions = workspace.client.interactions.export(query);
    for await (const row of interactions) rows.push(row);
    expect(rows.length).toBeGreaterThanOrEqual(query?.cursor === undefined ? ids.length : 0);
    return { rows, cursor: interactions.cursor };
  });

/** A proxy that cuts every answer after so many bytes, except for the last ones. */
async function startCuttingProxy(bytes: number, cuts: number): Promise<{ url: string; server: Server }> {
  let cut = 0;
  const server = createServer((request, response) => {
    const { method, url = '', headers } = request;
    forward(baseUrl + url, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 0, answer.headers);
      let sent = 0;
      const isCut = url.includes('/export') && cut < cuts;
      if (isCut) cut += 1;
      answer.on('data', (chunk: Buffer) => {
        const part = isCut ? chunk.subarray(0, bytes - sent) : chunk;
        sent += part.length;
        response.write(part, () => {
          if (isCut && sent >= bytes) response.destroy();
        });
      });
      answer.on('end', () => {
        if (!isCut || sent < bytes) response.end();
      });
    }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

test('an export has every interaction as the API shows it, and its cursor returns later changes only', async () => {
  const { rows, cursor } = await exported();
  expect(rows.map(({ id }) => id)).toEqual(ids);
  const [first] = rows;
  const shown = await workspace.client.interactions.get(ids[0] ?? '');
  expect(first).toMatchObject({ ...shown, data: JSON.parse(shown.data ?? 'null') as unknown });
  expect(Object.keys(first ?? {}).toSorted()).toEqual(
    [...Object.keys(shown), 'startedAt', 'completedAt', 'updatedAt', 'cursor'].toSorted(),
  );
  const { id } = await workspace.client.interactions.create({ customerId: 'late', botKey });
  await eventually(async () => {
    const later = await exported({ cursor });
    expect(later.rows.map((row) => row.id)).toEqual([id]);
  });
});

test('the client and the command line continue an export that was cut', async () => {
  const { rows } = await exported();
  const { url, server } = await startCuttingProxy(900, 2);
  try {
    const { apiKey, apiSecret } = workspace;
    const client = createClient({ baseUrl: url, apiKey, apiSecret }).workspace(workspace.id);
    const found = [];
    for await (const row of client.interactions.export()) found.push(row);
    expect(found).toEqual(rows);
  } finally {
    server.closeAllConnections();
    server.close();
  }
  const cutting = await startCuttingProxy(400, 2);
  try {
    const { stdout, exitCode } = await parley(['--format', 'csv', '--bot', botKey], cutting.url);
    expect(exitCode).toBe(0);
    expect(stdout.split('\r\n').length).toBe(rows.length + 2);
    expect(new Set(stdout.split('\r\n')).size).toBe(rows.length + 2);
  } finally {
    cutting.server.closeAllConnections();
    cutting.server.close();
  }
});

test('CSV has what spreadsheets must not change', async () => {
  const stream = await workspace.client.interactions.export({ botKey }).csv();
  const text = await new Response(stream).bytes();
  const lines = Buffer.from(text).toString().split('\r\n');
  expect(lines[0]).toMatch(/^\u{feff}id,customerId,botKey,.*,durationSeconds,nps_score/u);
  expect(lines.slice(1, 6).map((line) => line.slice(37).replace(/,nps-follow-up,.*/, ''))).toEqual([
    "'=1+1",
    '-2',
    '"Zoë, ""Grüße"""',
    '"00491701234567890123"',
    "'+49 170 1",
  ]);
});

test('the command line exports what has changed since the last complete run', async () => {
  const lines = async (args: string[]) => {
    const { stdout, stderr, exitCode } = await parley(args);
    expect([exitCode, stderr]).toEqual([0, expect.stringMatching(/^\d+ interactions?\n$/)]);
    return stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { id?: string; end?: true; rows?: number });
  };
  const all = await lines(['--cursor-file', 'nightly.cursor']);
  expect(all.at(-1)).toMatchObject({ end: true, rows: all.length - 1 });
  expect(await readFile(join(folder, 'nightly.cursor'), 'utf8')).toMatch(/^[\w-]{40,}\n$/);
  const { id } = await workspace.client.interactions.create({ customerId: 'next', botKey });
  await eventually(async () => {
    expect((await lines(['--cursor-file', 'nightly.cursor'])).map((line) => line.id)).toContain(id);
  });
  const results = await parley(['--format', 'csv', '--bot', botKey]);
  const records = results.stdout.trimEnd().split('\r\n').length - 1;
  expect([results.exitCode, results.stderr]).toEqual([0, `${records} interactions\n`]);
  const mistyped = await parley(['--format', 'csv', '--bot', 'npss']);
  expect([mistyped.exitCode, mistyped.stdout]).toEqual([1, '']);
  expect(mistyped.stderr).toBe('parley: The workspace has no bot with the key npss\n');
  expect((await parley(['--format', 'csv'])).exitCode).toBe(2);
  expect((await parley(['--status', 'Nothing'])).exitCode).toBe(1);
  expect((await parley([], 'http://127.0.0.1:1')).exitCode).toBe(1);
});

test('lists find by instants, evaluation, key of the bot and text of the customer', async () => {
  const { interactions, customers } = workspace.client;
  const total = async (query: Parameters<typeof interactions.list>[0]) =>
    (await interactions.list(query)).meta.totalResults;
  const createdTo = (await interactions.get(ids[2] ?? '')).createdAt;
  expect(await total({ createdTo })).toBe(2);
  expect(await total({ createdFrom: createdTo, status: 'Completed' })).toBe(3);
  expect(await total({ completedFrom: createdTo })).toBe(3);
  expect(await total({ evaluation: ['nps_score:9', 'x:y'] })).toBe(0);
  expect(await total({ botKey: 'nobody' })).toBe(0);
  await customers.create({
    id: 'finder',
    firstName: 'Élodie',
    lastName: 'O_Brien',
    email: 'ELO@example.com',
  });
  const found = async (q: string) => (await customers.list({ q })).data.map(({ id }) => id);
  for (const q of ['FIND', 'él', 'ÉLODIE', 'o_b', 'elo@EX']) expect(await found(q)).toEqual(['finder']);
  for (const q of ['ob', 'lodie', '%%', 'o%']) expect(await found(q)).toEqual([]);
  await expect(customers.list({ q: 'x' })).rejects.toMatchObject({ status: 400 });
});
