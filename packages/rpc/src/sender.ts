import { bodyBytesMax, headBytes, pieceOf } from './frame.ts';

/** A frame that is to be sent. */
export interface Outgoing {
  /** Taken away once nobody wants it sent any more. */
  frame: Buffer | undefined;
  frameBytes: number;
  /** True once all of it has been written. */
  isSent: boolean;
}

/** Sends the frames of one stream, in batches. */
export interface Sender {
  /** The bytes of frames of which nothing is written yet. */
  readonly waitingBytes: number;
  send(item: Outgoing): void;
  /** Runs `done` when all is written. */
  finish(done: () => void): void;
  /** Forgets what is not written; nothing is from now on. */
  stop(): void;
}

/** The frame as something to send that nobody takes back. */
export function outgoing(frame: Buffer): Outgoing {
  return { frame, frameBytes: frame.length, isSent: false };
}

// What the stream may have that it has not passed on: a small frame that comes now is behind it.
const unwrittenBytesMax = 2 * bodyBytesMax;

/**
 * Frames that come in one turn of the event loop are written together, in batches of about `bodyBytesMax` bytes. Large
 * frames go one after another, one piece in a batch, so that small ones pass them. `write` calls `written` when the
 * stream has passed the batch on; a stream that does not gets no more.
 */
export function startSender(write: (batch: Buffer, written: () => void) => void): Sender {
  let small: Outgoing[] = [];
  let large: Outgoing[] = [];
  /** How much of the body of the first large one is written. */
  let largeSentBytes = 0;
  let waitingBytes = 0;
  let unwrittenBytes = 0;
  let isScheduled = false;
  let isStopped = false;
  let finished: (() => void) | undefined;

  const takeSmall = (pieces: Buffer[]): void => {
    let bytes = 0;
    let taken = 0;
    for (const item of small) {
      if (bytes >= bodyBytesMax) break;
      taken += 1;
      waitingBytes -= item.frameBytes;
      if (!item.frame) continue;
      pieces.push(item.frame);
      bytes += item.frameBytes;
      item.isSent = true;
    }
    small = taken === small.length ? [] : small.slice(taken);
  };

  const takeLarge = (pieces: Buffer[]): void => {
    while (large[0] && !large[0].frame) shiftLarge();
    const [item] = large;
    if (!item?.frame) return;
    if (largeSentBytes === 0) waitingBytes -= item.frameBytes;
    const { piece, end } = pieceOf(item.frame, largeSentBytes);
    pieces.push(piece);
    largeSentBytes = end;
    if (headBytes + end < item.frameBytes) return;
    item.isSent = true;
    shiftLarge();
  };
  const shiftLarge = (): void => {
    const item = large.shift();
    if (item && largeSentBytes === 0) waitingBytes -= item.frameBytes;
    largeSentBytes = 0;
  };

  const flush = (): void => {
    isScheduled = false;
    while (!isStopped && unwrittenBytes < unwrittenBytesMax) {
      const pieces: Buffer[] = [];
      takeSmall(pieces);
      takeLarge(pieces);
      const batch = pieces.length > 1 ? Buffer.concat(pieces) : pieces[0];
      if (!batch) break;
      unwrittenBytes += batch.length;
      write(batch, () => {
        unwrittenBytes -= batch.length;
        if (!isScheduled) flush();
      });
    }
    if (small.length > 0 || large.length > 0 || isStopped) return;
    finished?.();
    finished = undefined;
  };
  // After all callbacks of this turn, so that what they send goes together.
  const schedule = (): void => {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(flush);
  };

  return {
    get waitingBytes() {
      return waitingBytes;
    },
    send: (item) => {
      if (isStopped) return;
      waitingBytes += item.frameBytes;
      if (item.frameBytes - headBytes > bodyBytesMax) large.push(item);
      else small.push(item);
      schedule();
    },
    finish: (done) => {
      finished = done;
      schedule();
    },
    stop: () => {
      isStopped = true;
      small = [];
      large = [];
      waitingBytes = 0;
    },
  };
}
