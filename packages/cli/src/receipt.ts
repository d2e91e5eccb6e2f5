import { isDeepStrictEqual } from 'node:util';
import { compactVerify, createLocalJWKSet, decodeProtectedHeader, errors, type JSONWebKeySet } from 'jose';
import { z } from 'zod';
import { Failure } from './failure.ts';

const erasure = z.object({
  id: z.string(),
  customerId: z.string(),
  kind: z.string(),
  requestedAt: z.string(),
  completedAt: z.string(),
  requestedBy: z.string(),
  stores: z.array(z.object({ store: z.string(), removed: z.number() })),
});

export type SignedErasure = z.output<typeof erasure>;

/** A receipt, and the erasure that was saved with it, if any. */
export interface SavedReceipt {
  receipt: string;
  saved: Record<string, unknown>;
}

const keySet = z.object({ keys: z.array(z.looseObject({ kty: z.string(), kid: z.string() })) });

/**
 * Reads a receipt from a text: a compact JWS, or the JSON of an erasure, also in the envelope of the API. Throws a
 * `Failure` for anything else, and for an erasure that still runs.
 */
export function parseReceipt(text: string, file: string): SavedReceipt {
  const trimmed = text.trim();
  if (/^[\w-]+\.[\w-]+\.[\w-]+$/.test(trimmed)) return { receipt: trimmed, saved: {} };
  const content = z.looseObject({ data: z.unknown().optional() }).safeParse(jsonOf(trimmed));
  const saved = z
    .looseObject({ receipt: z.string().nullable() })
    .safeParse(content.data?.data ?? content.data);
  if (!saved.success) throw notValid(`${file} is neither a receipt nor the JSON of an erasure`);
  const { receipt, ...fields } = saved.data;
  if (receipt !== null) return { receipt, saved: fields };
  throw new Failure('The erasure has no receipt yet: it has not ended', { type: 'no-receipt' });
}

/** Reads a JWK Set (RFC 7517). Throws a `Failure` that names its source. */
export function parseKeys(text: string, source: string): JSONWebKeySet {
  const keys = keySet.safeParse(jsonOf(text));
  if (keys.success) return keys.data;
  throw new Failure(`${source} has no JSON Web Keys`, { type: 'invalid-keys' });
}

/**
 * Returns what a receipt says, and the id of the key that signed it. Throws a `Failure` if no key of the set signed it,
 * if it was changed, or if the erasure that was saved with it says something else.
 */
export async function verifyReceipt(
  { receipt, saved }: SavedReceipt,
  keys: JSONWebKeySet,
  source: string,
): Promise<{ kid: string; erasure: SignedErasure }> {
  const signed = await signedBy(receipt, keys, source);
  const { data } = erasure.safeParse(jsonOf(new TextDecoder().decode(signed.payload)));
  if (!data) throw notValid('The signed text is no receipt of an erasure');
  const faults = Object.entries(saved).flatMap(([name, value]) => {
    const own: unknown = data[name as keyof SignedErasure];
    if (isDeepStrictEqual(value, own)) return [];
    return [
      {
        pointer: `/${name}`,
        detail: `Is ${JSON.stringify(value)}, but was signed as ${JSON.stringify(own)}`,
      },
    ];
  });
  if (faults.length === 0) return { kid: signed.protectedHeader.kid ?? '', erasure: data };
  throw new Failure('The erasure is not the one that was signed', { type: 'invalid-receipt', faults });
}

async function signedBy(receipt: string, keys: JSONWebKeySet, source: string) {
  try {
    return await compactVerify(receipt, createLocalJWKSet(keys), { algorithms: ['EdDSA'] });
  } catch (error) {
    if (error instanceof errors.JWKSNoMatchingKey) {
      const { kid } = decodeProtectedHeader(receipt);
      throw new Failure(
        `The receipt is signed with the key ${kid}, which is not in ${source}: it is newer, or of another deployment`,
        {
          type: 'unknown-key',
          cause: error,
        },
      );
    }
    if (error instanceof errors.JWSSignatureVerificationFailed)
      throw notValid('The signature does not fit: the receipt was changed', error);
    throw notValid('The receipt is not a JWS that is signed with Ed25519', error);
  }
}

function notValid(message: string, cause?: unknown): Failure {
  return new Failure(message, { type: 'invalid-receipt', cause });
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
