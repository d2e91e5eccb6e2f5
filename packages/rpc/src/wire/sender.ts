import { bodyBytesMax, headBytes, pieceOf } from './frame.ts';

export interface Outgoing {
  /** Undefined once the call is settled. The sender then skips it. */
  frame: Buffer | undefined;
  frameBytes: number;
  /** True once the whole frame is written. */
  isSent: boolean;
}

/** Returns a frame to send that is never withdrawn. */
export function outgoing(frame: Buffer): Outgoing {
  return { frame, frameBytes: frame.length, isSent: false };
}

/** Writes a batch to a stream. Calls `written` when the stream has passed it on. */
type Write = (batch: Buffer, written: () => void) => void;

// The limit of written bytes that the stream has not passed on. A small frame has to wait behind them.
const unwrittenBytesMax = 2 * bodyBytesMax;

/**
 * Sends the frames of one stream, in batches of about `bodyBytesMax` bytes. Frames of one turn of the event loop share
 * a batch. Large frames go one after another, one piece per batch, so that small frames can pass them. A stream that
 * passes nothing on gets no more batches.
 */
export class Sender {
  readonly #write: Write;
  #small: Outgoing[] = [];
  #large: Outgoing[] = [];
  /** The written bytes of the body of the first large frame. */
  #largeSentBytes = 0;
  #waitingBytes = 0;
  #unwrittenBytes = 0;
  #isScheduled = false;
  #isStopped = false;
  #finished: (() => void) | undefined;

  constructor(write: Write) {
    this.#write = write;
  }

  /** The bytes of the frames that are queued and not begun. */
  get waitingBytes(): number {
    return this.#waitingBytes;
  }

  send(item: Outgoing): void {
    if (this.#isStopped) return;
    this.#waitingBytes += item.frameBytes;
    if (item.frameBytes - headBytes > bodyBytesMax) this.#large.push(item);
    else this.#small.push(item);
    this.#schedule();
  }

  /** Drops the frames that are queued, and the rest of a begun one. Another sender may send them then. */
  withdraw(frames: ReadonlySet<Outgoing>): void {
    const [begun] = this.#largeSentBytes > 0 ? this.#large : [];
    if (begun && frames.has(begun)) this.#shiftLarge();
    const isKept = (item: Outgoing): boolean => {
      if (frames.has(item)) this.#waitingBytes -= item.frameBytes;
      return !frames.has(item);
    };
    this.#small = this.#small.filter(isKept);
    this.#large = this.#large.filter(isKept);
  }

  /** Calls `done` when all frames are written. */
  finish(done: () => void): void {
    this.#finished = done;
    this.#schedule();
  }

  /** Drops all queued frames. Later calls of `send` have no effect. */
  stop(): void {
    this.#isStopped = true;
    this.#small = [];
    this.#large = [];
    this.#waitingBytes = 0;
  }

  /** Flushes after all callbacks of this turn, so that their frames share a batch. */
  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(this.#flush);
  }

  readonly #flush = (): void => {
    this.#isScheduled = false;
    while (!this.#isStopped && this.#unwrittenBytes < unwrittenBytesMax) {
      const batch = this.#nextBatch();
      if (!batch) break;
      this.#unwrittenBytes += batch.length;
      this.#write(batch, () => {
        this.#unwrittenBytes -= batch.length;
        if (!this.#isScheduled) this.#flush();
      });
    }
    if (this.#small.length > 0 || this.#large.length > 0 || this.#isStopped) return;
    this.#finished?.();
    this.#finished = undefined;
  };

  #nextBatch(): Buffer | undefined {
    const pieces: Buffer[] = [];
    this.#takeSmall(pieces);
    this.#takeLarge(pieces);
    return pieces.length > 1 ? Buffer.concat(pieces) : pieces[0];
  }

  #takeSmall(pieces: Buffer[]): void {
    let bytes = 0;
    let taken = 0;
    for (const item of this.#small) {
      if (bytes >= bodyBytesMax) break;
      taken += 1;
      this.#waitingBytes -= item.frameBytes;
      if (!item.frame) continue;
      pieces.push(item.frame);
      bytes += item.frameBytes;
      item.isSent = true;
    }
    this.#small = taken === this.#small.length ? [] : this.#small.slice(taken);
  }

  #takeLarge(pieces: Buffer[]): void {
    while (this.#large[0] && !this.#large[0].frame) this.#shiftLarge();
    const [item] = this.#large;
    if (!item?.frame) return;
    if (this.#largeSentBytes === 0) this.#waitingBytes -= item.frameBytes;
    const { piece, end } = pieceOf(item.frame, this.#largeSentBytes);
    pieces.push(piece);
    this.#largeSentBytes = end;
    if (headBytes + end < item.frameBytes) return;
    item.isSent = true;
    this.#shiftLarge();
  }

  #shiftLarge(): void {
    const item = this.#large.shift();
    if (item && this.#largeSentBytes === 0) this.#waitingBytes -= item.frameBytes;
    this.#largeSentBytes = 0;
  }
}
