import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { api, basic, createWorkspace, type TestWorkspace } from '@parley/testing/api';
import { eventually } from '@parley/testing/eventually';
import { databaseServices } from '@parley/contracts/services';
import type { System } from '@parley/local/system';
import { beforeAll, expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { openBrowser } from '../conversations/conversation.ts';
import { npsBot } from '../conversations/sample-bots.ts';
import type { Observed } from './system.ts';

let system: System;
let workspace: TestWorkspace;

type Line = Record<string, unknown> & { msg: string };

/** The lines of a process about one request, or all with this message. */
async function linesOf(process: string, about: { requestId: string } | { msg: string }): Promise<Line[]> {
  const log = await readFile(join(system.dataDir, 'logs', `${process}.log`), 'utf8');
  const lines = log.split('\n').filter((line) => line.startsWith('{'));
  const [name, value] = Object.entries(about)[0] ?? ['', ''];
  return lines.map((line) => JSON.parse(line) as Line).filter((line) => line[name] === value);
}

/** The line of the gateway about one request. */
async function requestLine(requestId: string): Promise<Line | undefined> {
  return eventually(async () => {
    const lines = await linesOf('gateway-1', { requestId });
    expect(lines.map(({ msg }) => msg)).toEqual(['request']);
    return lines[0];
  });
}

const named = (requestId: string) => ({ 'x-request-id': requestId });

export function logTests(observed: () => Observed): void {
  beforeAll(async () => {
    ({ system } = observed());
    workspace = await createWorkspace(system.local().baseUrl, system.operator);
  });

  test('every process and the health check say which version runs', async () => {
    for (const name of [...databaseServices, 'gateway-1', 'gateway-2']) {
      expect(await linesOf(name, { msg: 'started' })).toMatchObject([{ version: manifest.version }]);
    }
    const health = await api(system.local().baseUrl, undefined).get('/healthz');
    expect(health.body.data).toEqual({ status: 'ok', version: manifest.version });
  });

  test('the line of a request has workspace, key id and client address, and no secret', async () => {
    const { apiKey, apiSecret, id: workspaceId } = workspace;
    await workspace.api.get('/customers/nobody', named('log-key'));
    const line = await requestLine('log-key');
    expect(line).toMatchObject({ status: 404, workspaceId, keyId: apiKey, clientAddress: '127.0.0.1' });
    expect(JSON.stringify(line)).not.toContain(apiSecret);

    const anywhere = api(system.local().baseUrl, basic(apiKey, apiSecret));
    await anywhere.get('/v1/workspaces', named('log-no-path'));
    expect(await requestLine('log-no-path')).toMatchObject({ status: 200, workspaceId, keyId: apiKey });
  });

  test('the line of a session has its workspace and interaction', async () => {
    const botId = await workspace.publish(npsBot);
    const wanted = { customerId: 'logged', botId, status: 'Pending' };
    const { id } = (await workspace.api.post<{ id: string }>('/interactions', wanted)).body.data;
    const browser = await openBrowser(system.local().baseUrl, workspace, 'logged');
    await browser.api.get(`/conversations/${id}`, named('log-session'));
    const line = await requestLine('log-session');
    expect(line).toMatchObject({ status: 200, workspaceId: workspace.id, interactionId: id });
    expect(line).not.toHaveProperty('keyId');
  });

  test('the line of a redirect does not say that the client has left', async () => {
    const headers = { accept: 'text/html', ...named('log-redirect') };
    await fetch(`${system.local().baseUrl}/docs/`, { headers, redirect: 'manual' });
    const line = await requestLine('log-redirect');
    expect(line).toMatchObject({ status: 301 });
    expect(line).not.toHaveProperty('gone');
  });

  test('what has not been checked is not in the line', async () => {
    const { baseUrl } = system.local();
    const stranger = api(`${baseUrl}/v1/workspaces`, basic('prl_key_of-a-stranger', 'ada@example.com'));
    await stranger.get('/ada@example.com/customers', named('log-wrong'));
    const line = await requestLine('log-wrong');
    expect(line).toMatchObject({ status: 401, clientAddress: '127.0.0.1' });
    expect(JSON.stringify(line)).not.toMatch(/stranger|ada@/);
    const foreign = api(`${baseUrl}/v1/workspaces/${workspace.id}`, basic(workspace.apiKey, 'wrong'));
    await foreign.get('/customers', named('log-refused'));
    const refused = await requestLine('log-refused');
    expect(refused).toMatchObject({ status: 401, workspaceId: workspace.id });
    expect(refused).not.toHaveProperty('keyId');
  });

  test('services log failed calls at info and others at debug, with nothing of the request but ids', async () => {
    const personal = { id: 'named', firstName: 'Anna', lastName: 'Nováková', email: 'anna@personal.example' };
    const path = '/parley.customer.v1.CustomerService/CreateCustomer';
    const { id: workspaceId } = workspace;
    const create = (requestId: string) => workspace.api.post('/customers', personal, named(requestId));
    expect((await create('log-first')).status).toBe(200);
    expect((await create('log-second')).status).toBe(409);
    await eventually(async () => {
      const common = { path, workspaceId, durationMs: expect.any(Number) };
      expect(await linesOf('customer', { requestId: 'log-first' })).toMatchObject([
        { ...common, level: 20, msg: 'call answered', code: 'ok' },
      ]);
      expect(await linesOf('customer', { requestId: 'log-second' })).toMatchObject([
        { ...common, level: 30, msg: 'call failed', code: 'already_exists', type: 'customer-exists' },
      ]);
    });
    const log = await readFile(join(system.dataDir, 'logs', 'customer.log'), 'utf8');
    expect(log).not.toMatch(/Anna|Nováková|anna@/);
  });
}
