import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { type DatabaseService, databaseServices } from '@parley/contracts/services';
import { connect, type Peer } from '@parley/rpc/connect';
import { openTls, type RpcTls } from '@parley/rpc/tls';
import { type RpcTlsFiles, rpcTlsFaults, rpcTlsOf } from '@parley/runtime/config/config';
import { AppError } from '@parley/runtime/errors';
import { createLogger } from '@parley/runtime/telemetry/logger';
import { isTarget } from '@parley/runtime/config/target';
import { Failure, usageFailure } from './failure.ts';
import { pathOf, reasonOf } from './files/named-file.ts';
import type { Shell } from './shell.ts';

export type ServiceName = DatabaseService;

/** The options that every command has. */
export interface GlobalOptions {
  json?: boolean;
  dataDir?: string;
  identity?: string;
  interaction?: string;
}

/**
 * Where the services of a deployment are. Only a command that needs a service has its option, unless it is global.
 * Other commands have options of these names for something else.
 */
export type TargetOptions = GlobalOptions & Partial<Record<ServiceName, string>>;

export interface Target {
  operatorToken: string;
  /** Throws a `Failure` when the address of the service is missing or invalid. */
  addressOf(service: ServiceName): string;
  tls?: RpcTlsFiles | undefined;
  dataDir?: string;
}

const tokenVariable = 'PARLEY_OPERATOR_TOKEN';

/**
 * Finds the system: a deployment by the addresses in the options, `PARLEY_OPERATOR_TOKEN` and `RPC_TLS_*_FILE`, else
 * the local run of `--data-dir`, `PARLEY_DATA_DIR` or `.parley`, by its `operator.json`. Throws a `Failure` that names
 * what is missing.
 */
export async function findTarget(options: TargetOptions, shell: Shell): Promise<Target> {
  const { dataDir } = options;
  if (dataDir === '') throw usageFailure('--data-dir needs a folder');
  if (databaseServices.every((name) => options[name] === undefined))
    return localRun(dataDirOf(options, shell));
  if (dataDir !== undefined) {
    throw usageFailure(
      'use either --data-dir for a local run, or the addresses of the services of a deployment',
    );
  }
  const operatorToken = shell.env[tokenVariable];
  if (!operatorToken) throw usageFailure(`a deployment needs its operator token in ${tokenVariable}`);
  for (const { setting, message } of rpcTlsFaults(shell.env)) throw usageFailure(`${setting} ${message}`);
  return {
    operatorToken,
    tls: rpcTlsOf(shell.env),
    addressOf: (service) => {
      const address = options[service];
      if (!address) throw usageFailure(`this command needs --${service} ADDRESS as well`);
      if (isTarget(address)) return address;
      throw usageFailure(`--${service}: ${address} is not host:port, such as 127.0.0.1:50051`);
    },
  };
}

/** Returns the data folder of the local run: `--data-dir`, `PARLEY_DATA_DIR` or `.parley`. */
export function dataDirOf({ dataDir }: GlobalOptions, shell: Shell): string {
  const named = dataDir ?? shell.env['PARLEY_DATA_DIR'];
  // The default is the folder of `npm start`, which ignores where the command was typed.
  return named ? pathOf(named, shell) : resolve(shell.cwd(), '.parley');
}

async function localRun(dataDir: string): Promise<Target> {
  const { entry, tls } = await readRunFile(dataDir, 'operator.json');
  return { operatorToken: entry('operatorToken'), addressOf: entry, tls, dataDir };
}

/** A file that describes a local run. `entry` returns a text in it, and throws a `Failure` if it is missing. */
interface RunFile {
  entry(name: string): string;
  tls: RpcTlsFiles | undefined;
  consumerTls: Record<'consumer' | 'bodyreader', RpcTlsFiles> | undefined;
  /** The URLs of NATS of consumers, by their names. */
  consumers: Record<string, string> | undefined;
}

/** Reads a file of a running local run. Throws a `Failure` that names what is missing. */
export async function readRunFile(dataDir: string, file: 'operator.json' | 'local.json'): Promise<RunFile> {
  const path = join(dataDir, file);
  const access = await readAccess(path);
  return {
    tls: access.get('tls') as RunFile['tls'],
    consumerTls: access.get('consumerTls') as RunFile['consumerTls'],
    consumers: access.get('consumers') as RunFile['consumers'],
    entry: (name) => {
      const value = access.get(name);
      if (typeof value === 'string' && value !== '') return value;
      throw new Failure(`${path} is not from a local run: it has no ${name}`, { type: 'no-local-run' });
    },
  };
}

async function readAccess(path: string): Promise<Map<string, unknown>> {
  try {
    return new Map(Object.entries(Object(JSON.parse(await readFile(path, 'utf8')))));
  } catch (error) {
    const isAbsent = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    const isFile = error instanceof Error && 'code' in error && error.code === 'ENOTDIR';
    if (isFile)
      throw new Failure(`${dirname(path)} is a file, not the data folder of a local run`, {
        type: 'no-local-run',
      });
    const message = isAbsent
      ? `no local run found: there is no ${path}; start one with npm start, or pass --data-dir DIR of a local run or ` +
        '--identity ADDRESS of a deployment'
      : `${path} cannot be read: ${reasonOf(error)}`;
    throw new Failure(message, { type: 'no-local-run', cause: error });
  }
}

/**
 * Calls a service as the operator. Errors become `Failure`s that name the service. `subject` names the called object in
 * the error of one that does not exist, such as `workspace 0190...`.
 */
export async function ask<T>(
  target: Target,
  service: ServiceName,
  subject: string,
  work: (peer: Peer) => Promise<T>,
): Promise<T> {
  const address = target.addressOf(service);
  await using tls = openTlsOrFail(target.tls);
  using peer = connect(address, {
    token: target.operatorToken,
    tls: tls?.to(service),
    timeoutMs: 15_000,
  });
  try {
    return await work(peer);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { type, faults } = error;
    const message = explain(error, `the ${service} service at ${address}`, subject, target.dataDir);
    throw new Failure(message, { type, faults, cause: error });
  }
}

function openTlsOrFail(files: RpcTlsFiles | undefined): RpcTls | undefined {
  try {
    return openTls(files, 'cli', createLogger('cli', 'silent'));
  } catch (error) {
    throw usageFailure((error as Error).message);
  }
}

export function newCall(): { requestId: string } {
  return { requestId: `cli-${randomUUID()}` };
}

function explain({ code, message }: AppError, service: string, subject: string, dataDir?: string): string {
  switch (code) {
    case 'unavailable':
      // A run that was killed leaves its file.
      return `${service} is not reachable or not ready${dataDir ? `; is the local run of ${dataDir} still running? npm start starts one` : ''}`;
    case 'deadline_exceeded':
      return `${service} did not answer in time`;
    case 'unauthenticated':
    case 'permission_denied':
      return `${service} does not accept the operator token`;
    case 'internal':
      return `${service} failed; see its log`;
    case 'not_found':
      return message.startsWith('There is no such') ? `There is no ${subject}` : message;
    default:
      return message;
  }
}
