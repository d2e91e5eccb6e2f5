import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { BadRequest, ErrorInfo } from '@parley/contracts/error-details';
import { invalidRequest } from '@parley/runtime/errors';
import { expect, test } from 'vitest';
import { customer, streamRpc, tokens } from './peers.ts';

// `buf curl` stands for every gRPC client without our definitions: it learns them by reflection.

const buf = resolve(import.meta.dirname, '../../../node_modules/.bin/buf');

/** Runs `buf curl` on a server with a customer service, and returns its output. */
async function curl(path: string, args: string[], token = tokens.service) {
  await using server = await streamRpc.serve({
    getCustomer: async ({ id }) => customer(id, 'Ada'),
    ensureCustomer: async () => {
      throw invalidRequest([{ pointer: '/id', detail: 'Is no id' }]);
    },
  });
  const url = `http://${server.address}${path}`;
  const options = [
    'curl',
    '--protocol',
    'grpc',
    '--http2-prior-knowledge',
    '--reflect-header',
    '*',
    '-H',
    `authorization: Bearer ${token}`,
    '-H',
    'x-parley-caller: interaction',
  ];
  return await promisify(execFile)(buf, [...options, ...args, url]).catch(
    (error: { stdout: string; stderr: string }) => error,
  );
}

const service = '/parley.customer.v1.CustomerService';

test('a client in another language finds the services and their methods by reflection', async () => {
  expect((await curl('', ['--list-services'])).stdout.trim().split('\n').toSorted()).toEqual([
    'grpc.health.v1.Health',
    'parley.customer.v1.CustomerService',
    'parley.process.v1.ProcessService',
  ]);
  expect((await curl('', ['--list-methods'])).stdout).toContain('CustomerService/GetCustomer');
});

test('a client in another language makes a call without our definitions', async () => {
  const { stdout } = await curl(`${service}/GetCustomer`, ['-d', '{"workspaceId": "w", "id": "é"}']);
  expect(JSON.parse(stdout)).toEqual({ id: 'é', firstName: 'Ada', version: 1 });
});

test('a client in another language reads every field of an error', async () => {
  const { stderr } = await curl(`${service}/EnsureCustomer`, ['-d', '{"workspaceId": "w", "id": "a"}']);
  const { code, message, details } = JSON.parse(stderr) as {
    code: string;
    message: string;
    details: { type: string; value: string }[];
  };
  expect({ code, message }).toEqual({ code: 'invalid_argument', message: 'The request is not valid' });
  const [info, faults, ...more] = details;
  expect([info?.type, faults?.type, more]).toEqual(['google.rpc.ErrorInfo', 'google.rpc.BadRequest', []]);
  const bytes = (detail?: { value: string }) => Buffer.from(detail?.value ?? '', 'base64');
  expect(ErrorInfo.decode(bytes(info)).reason).toBe('INVALID_REQUEST');
  expect(BadRequest.decode(bytes(faults)).fieldViolations).toEqual([
    { field: '/id', description: 'Is no id' },
  ]);
});

test('reflection needs a credential', async () => {
  expect((await curl('', ['--list-services'], 'wrong')).stderr).toContain('not authenticated');
});
