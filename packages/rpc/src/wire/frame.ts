/**
 * The kinds of frames between two processes (docs/decisions/0008-one-stream-per-peer.md). A client opens one
 * bidirectional gRPC stream to each replica of a peer. Each message on it is a batch of whole frames:
 *
 *     kind u8 · call id u32 · length of the body u32 · body              (numbers are big-endian, text is UTF-8)
 *
 * - `call` (client): timeout in milliseconds u32; path, request id, traceparent or '', grant or '', each after its
 *   length u16; then the request message. Behind the grant is the address of the gateway's client (`grants.ts`). The
 *   client chooses the id, unique among its unsettled calls.
 * - `cancel` (client): the call is cancelled.
 * - `answer` (server): the response message. `failure` (server): the public fields of an error (`status.ts`).
 * - `refused` (server): no handler has seen the call, and none will.
 * - `stopping` (server, id 0): the client must make no more calls here, and half-close the stream.
 * - `ping` (both, id 0): asks for a heartbeat, and is one.
 * - `part` (both): the next bytes of a body that is too large for one frame. A frame of another kind has the last ones.
 *
 * Whole frames may come between the parts of a body. Parts of another body replace it: the first one was cancelled.
 */
export const FrameKind = {
  call: 1,
  cancel: 2,
  answer: 3,
  failure: 4,
  refused: 5,
  stopping: 6,
  part: 7,
  ping: 8,
} as const;

export const streamPath = '/parley.rpc.v1.Calls/Exchange';

/** Returns the bytes: messages of the stream and raw requests are not decoded. */
export const rawBytes = (bytes: Buffer): Buffer => bytes;

/** A larger body is sent in parts of this size, so that it does not hold up other calls. */
export const bodyBytesMax = 64 * 1024;

/** The size of a frame before its body. */
export const headBytes = 9;

/** Returns a frame. `pieceOf` splits one that is too large for the wire. */
export function frame(kind: number, id: number, body?: Uint8Array): Buffer {
  const bytes = Buffer.allocUnsafe(headBytes + (body?.length ?? 0));
  writeHead(bytes, kind, id);
  if (body) bytes.set(body, headBytes);
  return bytes;
}

/** Returns a `call` frame. `path` is the result of `lengthPrefixed`, which all calls of a method share. */
export function callFrame(
  id: number,
  timeoutMs: number,
  path: Buffer,
  requestId: string,
  traceparent: string,
  grant: string,
  message: Uint8Array,
): Buffer {
  const requestIdBytes = Buffer.byteLength(requestId);
  const textBytes = path.length + 2 + requestIdBytes + 2 + traceparent.length + 2 + grant.length;
  const bytes = Buffer.allocUnsafe(headBytes + 4 + textBytes + message.length);
  writeHead(bytes, FrameKind.call, id);
  let at = bytes.writeUInt32BE(timeoutMs, headBytes);
  bytes.set(path, at);
  at = bytes.writeUInt16BE(requestIdBytes, at + path.length);
  at += bytes.write(requestId, at);
  at = bytes.writeUInt16BE(traceparent.length, at);
  at += bytes.write(traceparent, at, 'latin1');
  at = bytes.writeUInt16BE(grant.length, at);
  at += bytes.write(grant, at, 'latin1');
  bytes.set(message, at);
  return bytes;
}

/** Returns a text after its length. */
export function lengthPrefixed(text: string): Buffer {
  const bytes = Buffer.allocUnsafe(2 + Buffer.byteLength(text));
  bytes.writeUInt16BE(bytes.length - 2);
  bytes.write(text, 2);
  return bytes;
}

/** The body of a `call` frame. */
export interface CallBody {
  timeoutMs: number;
  path: string;
  requestId: string;
  traceparent: string;
  grant: string;
  message: Buffer;
}

/** Reads the body of a `call` frame. Throws a RangeError if it is truncated. */
export function readCall(body: Buffer): CallBody {
  const pathEnd = 6 + body.readUInt16BE(4);
  const requestIdEnd = pathEnd + 2 + body.readUInt16BE(pathEnd);
  const traceparentEnd = requestIdEnd + 2 + body.readUInt16BE(requestIdEnd);
  const grantEnd = traceparentEnd + 2 + body.readUInt16BE(traceparentEnd);
  if (grantEnd > body.length) throw new RangeError('a call is truncated');
  return {
    timeoutMs: body.readUInt32BE(0),
    path: body.toString('latin1', 6, pathEnd),
    requestId: body.toString('utf8', pathEnd + 2, requestIdEnd),
    traceparent: body.toString('latin1', requestIdEnd + 2, traceparentEnd),
    grant: body.toString('latin1', traceparentEnd + 2, grantEnd),
    message: body.subarray(grantEnd),
  };
}

/** Returns the next frame of a large one for the wire, with its body from byte `from` to `end`. */
export function pieceOf(large: Buffer, from: number): { piece: Buffer; end: number } {
  const end = Math.min(from + bodyBytesMax, large.length - headBytes);
  const isLast = end === large.length - headBytes;
  const body = large.subarray(headBytes + from, headBytes + end);
  return { piece: frame(isLast ? (large[0] ?? 0) : FrameKind.part, large.readUInt32BE(1), body), end };
}

/**
 * Returns a reader of batches. `take` gets each frame with its whole body, which shares memory with the batch. The
 * reader throws a RangeError for a malformed batch or a body of more than `bytesMax` bytes. The stream must end then.
 */
export function frameReader(
  bytesMax: number,
  take: (kind: number, id: number, body: Buffer) => void,
): (batch: Buffer) => void {
  let parts: Buffer[] = [];
  let partsId = 0;

  const takePart = (id: number, body: Buffer): void => {
    if (id !== partsId) parts = [];
    partsId = id;
    parts.push(body);
    if (parts.length * bodyBytesMax > bytesMax) throw new RangeError('a message is too large');
  };
  const takeWhole = (kind: number, id: number, body: Buffer): void => {
    if (parts.length === 0 || id !== partsId) return take(kind, id, body);
    const whole = Buffer.concat([...parts, body]);
    parts = [];
    take(kind, id, whole);
  };

  return (batch) => {
    for (let at = 0; at < batch.length; ) {
      if (at + headBytes > batch.length) throw new RangeError('a frame is truncated');
      const kind = batch[at] ?? 0;
      const id = batch.readUInt32BE(at + 1);
      const end = at + headBytes + batch.readUInt32BE(at + 5);
      if (end > batch.length) throw new RangeError('a frame is truncated');
      const body = batch.subarray(at + headBytes, end);
      if (body.length > bodyBytesMax) throw new RangeError('a frame is too large');
      if (kind === FrameKind.part) takePart(id, body);
      else takeWhole(kind, id, body);
      at = end;
    }
  };
}

function writeHead(bytes: Buffer, kind: number, id: number): void {
  bytes[0] = kind;
  bytes.writeUInt32BE(id, 1);
  bytes.writeUInt32BE(bytes.length - headBytes, 5);
}
