import { createHash } from 'node:crypto';
import { Metadata } from '@grpc/grpc-js';
import { type CallerName, callerNames } from '@parley/contracts/method-access';
import { equalBytes } from '@parley/runtime/keyring';
import type { Caller, RpcTokens } from './context.ts';

/** The field in which a service states its name. */
const nameField = 'x-parley-caller';

/** Returns the metadata of a process that calls others. The operator states no name. */
export function callerMetadata(token: string, caller: CallerName | undefined): Metadata {
  const metadata = new Metadata();
  metadata.set('authorization', `Bearer ${token}`);
  if (caller) metadata.set(nameField, caller);
  return metadata;
}

/**
 * Returns a function that returns the caller by its metadata: undefined without a credential, `unknown` for a wrong
 * one. Without `callers`, the token of the services says only that it is one of them, so its name is that in the
 * metadata.
 */
export function callerOf(tokens: RpcTokens): (metadata: Metadata) => Caller | undefined {
  const operator = digestOf(tokens.operator);
  const shared = digestOf(tokens.service);
  const callers = tokens.callers && [...tokens.callers];
  const own = callers?.map(([digest, name]) => ({ digest: Buffer.from(digest, 'hex'), name }));
  return (metadata) => {
    const authorization = text(metadata, 'authorization');
    if (!authorization) return undefined;
    const given = digestOf(/^Bearer (.+)$/.exec(authorization)?.[1] ?? '');
    if (equalBytes(given, operator)) return 'cli';
    if (own) return own.find(({ digest }) => equalBytes(given, digest))?.name ?? 'unknown';
    return equalBytes(given, shared) ? serviceOf(text(metadata, nameField)) : 'unknown';
  };
}

function serviceOf(stated: string | undefined): Caller {
  return callerNames.find((name) => name === stated && name !== 'cli') ?? 'unknown';
}

function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** Returns the first value of a field of text. */
export function text(metadata: Metadata, name: string): string | undefined {
  const value = metadata.get(name)[0];
  return typeof value === 'string' ? value : undefined;
}
