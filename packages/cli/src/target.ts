import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { connect, type Peer } from '@parley/rpc/connect';
import { AppError } from '@parley/runtime/errors';
import { isTarget } from '@parley/runtime/target';
import { Failure, usageFailure } from './failure.ts';
import { pathOf } from './named-file.ts';
import { isNpmScript } from './own-command.ts';
import { isPacked } from './packed-file.ts';

/** A service that the command line talks to. */
export type ServiceName = 'identity' | 'interaction';

/** The options that every command has. */
export interface GlobalOptions {
  json?: boolean;
  dataDir?: string;
  identity?: string;
  interaction?: string;
}

/** The system that a command works on. */
export interface Target {
  operatorToken: string;
  /** Throws a `Failure` when the address of the service was not given, or is none. */
  addressOf(service: ServiceName): string;
  /** What to ask oneself where a service cannot be reached. */
  advice?: string;
}

const tokenVariable = 'PARLEY_OPERATOR_TOKEN';
const dataDirVariable = 'PARLEY_DATA_DIR';

/**
 * Finds the system: a deployment by the addresses in the options and `PARLEY_OPERATOR_TOKEN`, else the local run of
 * `--data-dir`, `PARLEY_DATA_DIR` or `.parley`, by its `operator.json`. Throws a `Failure` that says what is missing.
 */
export async function findTarget(options: GlobalOptions, env: NodeJS.ProcessEnv): Promise<Target> {
  const { dataDir, identity, interaction } = options;
  if (dataDir === '') throw usageFailure('--data-dir needs a folder');
  if (identity === undefined && interaction === undefined) {
    const named = dataDir ?? env[dataDirVariable];
    // As `npm start` has it: only a folder that is named is meant from where the command was typed.
    return localRun(named ? pathOf(named) : resolve('.parley'));
  }
  if (dataDir !== undefined) {
    throw usageFailure(
      '--data-dir means a local run, --identity and --interaction a deployment: give one of them',
    );
  }
  const operatorToken = env[tokenVariable];
  if (!operatorToken) throw usageFailure(`a deployment needs its operator token in ${tokenVariable}`);
  const addresses = { identity, interaction };
  return {
    operatorToken,
    addressOf: (service) => {
      const address = addresses[service];
      if (!address) throw usageFailure(`this command needs --${service} ADDRESS as well`);
      if (isTarget(address)) return address;
      throw usageFailure(`--${service}: ${address} is no host:port, such as 127.0.0.1:50051`);
    },
  };
}

async function localRun(dataDir: string): Promise<Target> {
  const path = join(dataDir, 'operator.json');
  const access = await readAccess(path);
  const entry = (name: string): string => {
    const value = access.get(name);
    if (typeof value === 'string' && value !== '') return value;
    throw new Failure(`${path} is not what a local run writes: it has no ${name}`, { type: 'no-local-run' });
  };
  // A run that was killed has left its file.
  const advice = `does the run of ${dataDir} still run?`;
  return { operatorToken: entry('operatorToken'), addressOf: entry, advice };
}

// Elsewhere, `npm start` would start something else.
const start = isNpmScript && !isPacked ? 'start one with npm start, ' : '';

async function readAccess(path: string): Promise<Map<string, unknown>> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    const isAbsent = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    const message = isAbsent
      ? `no local run found: there is no ${path}; ${start}name the data folder of one (--data-dir DIR) or a ` +
        `deployment (--identity ADDRESS)`
      : `${path} cannot be read: ${reasonOf(error)}`;
    throw new Failure(message, { type: 'no-local-run', cause: error });
  }
  try {
    const parsed: unknown = JSON.parse(text);
    return new Map(Object.entries(Object(parsed)));
  } catch (error) {
    throw new Failure(`${path} is not JSON: ${reasonOf(error)}`, { type: 'no-local-run', cause: error });
  }
}

/**
 * Runs calls to a service as the operator. Errors become `Failure`s that say which service it was; one that is not
 * found is called by its `subject`, say `workspace 0190...`.
 */
export async function ask<T>(
  target: Target,
  service: ServiceName,
  subject: string,
  work: (peer: Peer) => Promise<T>,
): Promise<T> {
  const address = target.addressOf(service);
  const name = `the ${service} service at ${address}`;
  using peer = connect(address, { token: target.operatorToken, timeoutMs: 15_000 });
  try {
    return await work(peer);
  } catch (error) {
    throw error instanceof AppError ? explain(error, name, subject, target.advice) : error;
  }
}

/** The options of one call. */
export function newCall(): { requestId: string } {
  return { requestId: `cli-${randomUUID()}` };
}

function explain(error: AppError, service: string, subject: string, advice?: string): Failure {
  const { code, type, faults } = error;
  const as = (message: string) => new Failure(message, { type, faults, cause: error });
  switch (code) {
    case 'unavailable':
      return as(`${service} is not reachable or not ready${advice ? `; ${advice}` : ''}`);
    case 'deadline_exceeded':
      return as(`${service} did not answer in time`);
    case 'unauthenticated':
    case 'permission_denied':
      return as(`${service} does not accept the operator token`);
    case 'internal':
      return as(`${service} failed; its log says why`);
    case 'not_found':
      return as(error.message.startsWith('There is no such') ? `There is no ${subject}` : error.message);
    default:
      return as(error.message);
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
