import { createHash } from 'node:crypto';
import { Metadata, type ServerDuplexStream, type ServerUnaryCall } from '@grpc/grpc-js';
import { type CallerName, callerNames } from '@parley/contracts/method-access';
import { equalBytes } from '@parley/runtime/config/keyring';
import { certificateOnly, parseRpcTokens } from '@parley/runtime/config/rpc-tokens';
import type { Caller, RpcTokens } from '../server/context.ts';
import { showRefusals } from '../metrics.ts';
import { peerNamesOf } from '../client/peer-names.ts';

/** What a call or a stream of calls shows of its caller. */
export type ReceivedCall = Pick<
  ServerUnaryCall<unknown, unknown> | ServerDuplexStream<unknown, unknown>,
  'metadata' | 'getAuthContext' | 'getPeer'
>;

/** The field in which a service states its name. */
const nameField = 'x-parley-caller';

/**
 * Returns the metadata of a process that calls others: the first of its tokens and its name. With a token, the operator
 * states no name.
 */
export function callerMetadata(tokens: string, caller: CallerName | undefined): Metadata {
  const metadata = new Metadata();
  const [token] = parseRpcTokens(tokens);
  if (token !== certificateOnly) metadata.set('authorization', `Bearer ${token}`);
  const stated = token === certificateOnly ? (caller ?? 'cli') : caller;
  if (stated) metadata.set(nameField, stated);
  return metadata;
}

/** A token that is accepted. Without a name, a caller states its own. */
interface AcceptedToken {
  digest: Buffer;
  name?: CallerName;
}

/**
 * Returns a function that returns the caller of a call: undefined without a credential, `unknown` for a wrong one. A
 * token that services share says only that the caller is one of them, so its name is that in the metadata. With TLS,
 * the certificate must have the name too. It is enough if one of the tokens is `certificateOnly`.
 */
export function callerOf(
  tokens: RpcTokens,
  { hasTls = false } = {},
): (call: ReceivedCall) => Caller | undefined {
  showRefusals();
  let read: RpcTokens | undefined;
  let accepted: AcceptedToken[] = [];
  let isCertificateEnough = false;
  const acceptedNow = (): AcceptedToken[] => {
    const { service, operator, callers } = tokens;
    if (read?.service !== service || read.operator !== operator || read.callers !== callers) {
      read = { service, operator, callers };
      accepted = acceptedOf(read);
      isCertificateEnough = hasTls && parseRpcTokens(service).includes(certificateOnly);
    }
    return accepted;
  };
  return (call) => {
    const tokensNow = acceptedNow();
    const authorization = text(call.metadata, 'authorization');
    const stated = text(call.metadata, nameField);
    // A probe has no certificate or states no name. A caller that relies on its certificate does both.
    if (!authorization && !(hasTls && stated)) return undefined;
    if (!authorization && !isCertificateEnough) return 'unknown';
    const name = authorization ? nameByToken(tokensNow, authorization, stated) : nameOf(stated);
    // A connection that has just ended has no certificate either.
    return name && (!hasTls || peerNamesOf(call)?.includes(name)) ? name : 'unknown';
  };
}

function nameByToken(
  accepted: readonly AcceptedToken[],
  authorization: string,
  stated: string | undefined,
): CallerName | undefined {
  const given = digestOf(/^Bearer (.+)$/.exec(authorization)?.[1] ?? '');
  // Compares with all of them, so that the time does not reveal which one is right.
  const [token] = accepted.filter(({ digest }) => equalBytes(digest, given));
  if (!token || token.name) return token?.name;
  const name = nameOf(stated);
  return name === 'cli' ? undefined : name;
}

function acceptedOf({ service, operator, callers }: RpcTokens): AcceptedToken[] {
  const services: AcceptedToken[] = callers
    ? [...callers].map(([digest, name]) => ({ digest: Buffer.from(digest, 'hex'), name }))
    : parseRpcTokens(service)
        .filter((token) => token !== certificateOnly)
        .map((token) => ({ digest: digestOf(token) }));
  return operator ? [{ digest: digestOf(operator), name: 'cli' }, ...services] : services;
}

function nameOf(stated: string | undefined): CallerName | undefined {
  return callerNames.find((name) => name === stated);
}

function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** Returns the first value of a field if it is text. */
export function text(metadata: Metadata, name: string): string | undefined {
  const value = metadata.get(name)[0];
  return typeof value === 'string' ? value : undefined;
}

/** Returns the address of the process that makes a call, without its port: the address of a proxy if there is one. */
export function peerAddressOf(call: Pick<ReceivedCall, 'getPeer'>): string {
  return call
    .getPeer()
    .replace(/:\d+$/, '')
    .replace(/^::ffff:(?=\d+\.)/, '');
}
