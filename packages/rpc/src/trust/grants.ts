import { createPrivateKey, createPublicKey, hash, hkdfSync, type KeyObject, sign, verify } from 'node:crypto';
import { isIP } from 'node:net';
import { Grant, type GrantKey } from '@parley/contracts/common/v1/grant';
import { AppError, unavailable } from '@parley/runtime/errors';
import type { Keyring } from '@parley/runtime/config/keyring';
import { LRUCache } from 'lru-cache';
import { derivedFrom, GrantKeys, publicPrefix, type ReadGrantKeys } from './grant-keys.ts';

/** Signs grants (docs/decisions/0027-callers-and-grants.md). */
export interface GrantSigner {
  /** Returns a grant as text, for at least `seconds`. */
  issue(
    whose: Pick<Grant, 'workspaceIds' | 'holder'> & Partial<Pick<Grant, 'holderName' | 'webhookIds'>>,
    seconds: number,
  ): string;
  readonly keys: GrantKey[];
}

export interface GrantVerifier {
  /**
   * Returns the grant of a text, at once if it was verified before. PERMISSION_DENIED if it was changed or has expired;
   * UNAVAILABLE if its key cannot be read now, or if it is out of its time because the clocks differ.
   */
  verify(text: string): Grant | Promise<Grant>;
  /**
   * Returns how far the clock of this process is ahead of identity's, as read within the last 15 seconds or now.
   * Undefined until it is read.
   */
  clockAheadMs(): number | undefined;
}

/** How long a grant of a key or person is valid at least. A request ends before; an export asks for another one. */
export const keyGrantSeconds = 60;
/** How long a grant of a session is valid at least: longer than a session, and a wait that begins at its end. */
export const sessionGrantSeconds = 960;

/** Grants end at multiples of this, so that grants of a key have one text for a while and are verified once. */
const roundedToSeconds = 60;

/**
 * Returns a signer with keys (Ed25519) that are derived from the keys of a ring by HKDF-SHA256 (RFC 5869). It follows
 * changes of the ring.
 */
export function createGrantSigner(ring: Keyring): GrantSigner {
  const signing = derivedFrom(
    () => ring.keys,
    (keys) => {
      const all = [...keys.values()].map(signingKeyOf);
      return { current: signingKeyOf(ring.current.key), published: all.map(({ published }) => published) };
    },
  );
  return {
    get keys() {
      return signing().published;
    },
    issue: ({ workspaceIds, holder, holderName = '', webhookIds = [] }, seconds) => {
      const { current } = signing();
      const untilSeconds = Date.now() / 1_000 + seconds;
      const payload = Grant.encode({
        keyId: current.published.id,
        expiresAt: Math.ceil(untilSeconds / roundedToSeconds) * roundedToSeconds,
        workspaceIds: workspaceIds.map((id) => id.toLowerCase()),
        holder,
        holderName,
        webhookIds: webhookIds.map((id) => id.toLowerCase()),
      }).finish();
      const signature = sign(null, payload, current.privateKey);
      return `${Buffer.from(payload).toString('base64url')}.${signature.toString('base64url')}`;
    },
  };
}

/**
 * Returns the grant of a call with the address of the gateway's client behind it, as a third part: `.` and base64url.
 * It is not signed, because the gateway itself knows it. A service of an earlier release ignores it. Calls without a
 * grant have empty first parts.
 */
export function withClientAddress(grant: string, address: string | undefined): string {
  return address === undefined ? grant : `${grant || '.'}.${Buffer.from(address).toString('base64url')}`;
}

/** Returns the grant of a call as it was signed, and the client's address. */
export function splitGrant(text: string): { grant: string; clientAddress: string | undefined } {
  const at = text.indexOf('.', text.indexOf('.') + 1);
  if (at < 0) return { grant: text, clientAddress: undefined };
  const address = Buffer.from(text.slice(at + 1), 'base64url').toString();
  return { grant: text.slice(0, at), clientAddress: isIP(address) === 0 ? undefined : address };
}

/** The DER of a private key (RFC 8410) before its 32 bytes. */
const privatePrefix = Buffer.from('302e020100300506032b657004220420', 'hex');

function signingKeyOf(key: KeyObject): { privateKey: KeyObject; published: GrantKey } {
  const seed = Buffer.from(hkdfSync('sha256', key, '', 'parley grants, Ed25519', 32));
  const der = Buffer.concat([privatePrefix, seed]);
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const publicKey = createPublicKey(privateKey)
    .export({ format: 'der', type: 'spki' })
    .subarray(publicPrefix.length);
  return { privateKey, published: { id: hash('sha256', publicKey, 'base64url').slice(0, 11), publicKey } };
}

/** After so long, the keys are read again, so that a removed one ends. The latest ones count until they are read. */
export const keysMs = 60_000;
/** After so long, the clock of identity is read again. */
const clockMs = 15_000;
/** Clocks that differ by less are not the reason why a grant is out of its time. */
const sameClockMsMax = 5_000;
/** No grant is valid for longer, so a stolen key cannot sign one for years. Clocks may differ by the rounding. */
const grantSecondsMax = sessionGrantSeconds + 2 * roundedToSeconds;
/** The number of verified grants that a process remembers. An active API key needs one, a session too. */
const rememberedMax = 10_000;

/** The options of the call that reads the keys. Many callers may wait for it, so it is of no request. */
export const grantKeysCall = { requestId: 'grant-keys' };

/**
 * Returns a verifier with the keys of its own signer, and the keys that `read` returns: when it meets an unknown key,
 * and once a minute.
 */
export function createGrantVerifier(
  own: Pick<GrantSigner, 'keys'> = { keys: [] },
  read?: ReadGrantKeys,
): GrantVerifier {
  const verified = new LRUCache<string, Grant>({ max: rememberedMax });
  // Grants of removed keys are verified again, and refused.
  const keys = new GrantKeys(own, read, () => verified.clear());

  const verifyOnce = (text: string): Grant | undefined => {
    const { grant, payload, signature } = parse(text);
    const key = keys.get(grant.keyId);
    if (!key) return undefined;
    if (!verify(null, payload, key, signature)) throw noGrant('its signature is not valid');
    verified.set(text, grant);
    return grant;
  };

  const verifyAfterReading = async (text: string): Promise<Grant> => {
    await keys.refresh().catch((cause: unknown) => {
      throw unavailable(new Error('the keys of grants cannot be read', { cause }));
    });
    const grant = verifyOnce(text);
    if (!grant) throw noGrant('its key is unknown');
    return current(grant, keys);
  };

  return {
    verify: (text) => {
      if (keys.hasForeign) keys.rereadAfter(keysMs);
      const grant = verified.get(text) ?? verifyOnce(text);
      return grant ? current(grant, keys) : verifyAfterReading(text);
    },
    clockAheadMs: () => {
      if (keys.areRead) keys.rereadAfter(clockMs);
      return keys.clockAheadMs;
    },
  };
}

/** Returns the grant, or an error if the grant is out of its time. */
function current(grant: Grant, keys: GrantKeys): Grant | Promise<Grant> {
  const fault = timeFault(grant);
  if (fault === undefined) return grant;
  if (!keys.areRead) throw noGrant(fault);
  return refuseOutOfTime(fault, keys);
}

async function refuseOutOfTime(fault: string, keys: GrantKeys): Promise<never> {
  await keys.refresh().catch(() => {});
  const { clockAheadMs = 0 } = keys;
  if (Math.abs(clockAheadMs) <= sameClockMsMax) throw noGrant(fault);
  throw unavailable(new Error(`${fault}: ${clockFault(clockAheadMs)}`));
}

function timeFault({ expiresAt }: Grant): string | undefined {
  const leftSeconds = expiresAt - Date.now() / 1_000;
  if (leftSeconds <= 0) return 'it has expired';
  return leftSeconds > grantSecondsMax ? 'it is valid for too long' : undefined;
}

/** Returns what is wrong with the clock of this process, or of identity. */
function clockFault(aheadMs: number): string {
  const seconds = Math.round(Math.abs(aheadMs) / 1_000);
  return `the clock of this process is ${seconds} s ${aheadMs > 0 ? 'ahead of' : 'behind'} that of identity`;
}

function parse(text: string): { grant: Grant; payload: Buffer; signature: Buffer } {
  const [payload = '', signature = ''] = text.split('.');
  const bytes = Buffer.from(payload, 'base64url');
  try {
    return { grant: Grant.decode(bytes), payload: bytes, signature: Buffer.from(signature, 'base64url') };
  } catch {
    throw noGrant('it cannot be read');
  }
}

/** Returns the error of a call without the grant that it needs. The reason is only logged here. */
export function noGrant(reason: string): AppError {
  return new AppError('permission_denied', 'no-grant', 'The call needs a grant', { cause: reason });
}

/** What a request says about whom it is for. */
interface Subject {
  workspaceId?: string;
  workspaceIds?: string[];
  /** The webhook, where `webhookId` is not set; else something of it. */
  id?: string;
  webhookId?: string;
  webhookIds?: string[];
  customerId?: string;
  session?: {
    workspaceId: string;
    subject?:
      | { $case: 'customerId'; value: string }
      | { $case: 'interaction'; value: { interactionId: string; linkVersion: number } }
      | null;
  } | null;
}

/** Whose grants a method accepts that needs a grant of a principal, which the gateway checks by its scopes. */
const principalHolders: Record<'key' | 'portal', ReadonlySet<string>> = {
  key: new Set(['apiKey', 'personId']),
  portal: new Set(['apiKey', 'personId', 'portalLinkId']),
};

/**
 * Throws PERMISSION_DENIED unless the grant is for the workspaces of the request, for its webhooks if the grant names
 * some, and for a session its subject.
 */
export function checkGrant(
  needed: 'key' | 'session' | 'portal',
  request: unknown,
  { workspaceIds, holder, webhookIds }: Grant,
): void {
  const { workspaceId, workspaceIds: several, customerId, session } = request as Subject;
  const wanted = [workspaceId, session?.workspaceId, ...(several ?? [])].filter((id) => id !== undefined);
  if ((wanted.length === 0 && !several) || !wanted.every((id) => workspaceIds.includes(id.toLowerCase()))) {
    throw noGrant('it is for another workspace');
  }
  if (needed !== 'session') {
    if (!holder || !principalHolders[needed].has(holder.$case)) throw noGrant('it is of another holder');
    // A request with several workspaces is about them, and about no webhook.
    if (webhookIds.length === 0 || several) return;
    const named = webhooksOf(request as Subject);
    if (named.length > 0 && named.every((id) => webhookIds.includes(id.toLowerCase()))) return;
    throw noGrant('it is for other webhooks');
  }
  const subject = session ? session.subject : ({ $case: 'customerId', value: customerId ?? '' } as const);
  const isSubject =
    subject?.$case === 'interaction'
      ? holder?.$case === 'link' && holder.value === linkHolder(subject.value)
      : holder?.$case === 'customerId' && holder.value === subject?.value;
  if (!isSubject) throw noGrant('it is of another holder');
}

/** Returns the webhooks that a request names; none if it is about all, or about a new one. */
function webhooksOf({ id, webhookId = id, webhookIds }: Subject): string[] {
  return webhookIds ?? (webhookId === undefined ? [] : [webhookId]);
}

export function linkHolder(link: { interactionId: string; linkVersion: number }): string {
  return `${link.interactionId.toLowerCase()}.${link.linkVersion}`;
}
