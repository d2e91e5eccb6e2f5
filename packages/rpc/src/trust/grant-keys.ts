import { createPublicKey, type KeyObject } from 'node:crypto';
import type { GrantKey } from '@parley/contracts/common/v1/grant';

/** How long it takes at least until the keys are read again: anybody can name a key that does not exist. */
const rereadMsMin = 1_000;

/** The DER of a public key (RFC 8410) before its 32 bytes. */
export const publicPrefix = Buffer.from('302a300506032b6570032100', 'hex');

/** Reads the keys of identity, and its clock. A release before 0.3 does not state the time. */
export type ReadGrantKeys = () => Promise<{ keys: readonly GrantKey[]; now?: Date | null | undefined }>;

/** The keys that verify grants: of the own signer, and of identity, which are read again. */
export class GrantKeys {
  readonly #own: () => Map<string, KeyObject>;
  readonly #read: ReadGrantKeys | undefined;
  readonly #lost: () => void;
  #foreign = byId([]);
  #readAtMs = Number.NEGATIVE_INFINITY;
  #triedAtMs = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | undefined;
  #clockAheadMs: number | undefined;

  /** `lost` is called when a key of identity has been removed. */
  constructor(own: { readonly keys: GrantKey[] }, read: ReadGrantKeys | undefined, lost: () => void) {
    this.#own = derivedFrom(() => own.keys, byId);
    this.#read = read;
    this.#lost = lost;
  }

  /** Whether it has keys of identity. */
  get hasForeign(): boolean {
    return this.#foreign.size > 0;
  }

  /** Whether it reads the keys of identity. */
  get areRead(): boolean {
    return this.#read !== undefined;
  }

  /** How far the clock of this process was ahead of identity's at the last reading. */
  get clockAheadMs(): number | undefined {
    return this.#clockAheadMs;
  }

  get(id: string): KeyObject | undefined {
    return this.#own().get(id) ?? this.#foreign.get(id);
  }

  /** Reads the keys in the background if that was not tried for so long. The latest keys count until then. */
  rereadAfter(ms: number): void {
    if (performance.now() - this.#triedAtMs > ms) void this.#reread().catch(() => {});
  }

  /** Reads the keys unless that has just been done. Rejects if they cannot be read. */
  async refresh(): Promise<void> {
    if (this.#reading || performance.now() - this.#readAtMs > rereadMsMin) await this.#reread();
  }

  async #reread(): Promise<void> {
    this.#triedAtMs = performance.now();
    this.#reading ??= this.#readOnce().finally(() => (this.#reading = undefined));
    await this.#reading;
  }

  async #readOnce(): Promise<void> {
    const askedAtMs = Date.now();
    const { keys, now } = (await this.#read?.()) ?? { keys: [] };
    if (now) this.#clockAheadMs = (askedAtMs + Date.now()) / 2 - now.getTime();
    const hasLost = [...this.#foreign.keys()].some((id) => keys.every((key) => key.id !== id));
    this.#foreign = byId(keys);
    this.#readAtMs = performance.now();
    if (hasLost) this.#lost();
  }
}

function byId(keys: readonly GrantKey[]): Map<string, KeyObject> {
  return new Map(keys.map((key) => [key.id, publicKeyOf(key)]));
}

function publicKeyOf({ publicKey }: GrantKey): KeyObject {
  return createPublicKey({ key: Buffer.concat([publicPrefix, publicKey]), format: 'der', type: 'spki' });
}

/** Returns a function that caches what is derived from an object, until `source` returns another object. */
export function derivedFrom<Source, Derived>(
  source: () => Source,
  derive: (source: Source) => Derived,
): () => Derived {
  let last: { source: Source; derived: Derived } | undefined;
  return () => {
    const now = source();
    if (last?.source !== now) last = { source: now, derived: derive(now) };
    return last.derived;
  };
}
