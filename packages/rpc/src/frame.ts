/**
 * How calls travel between two of our processes (docs/decisions/0008-one-stream-per-peer.md). A client opens one
 * bidirectional gRPC stream to each copy of a peer. Each message on it is a batch of whole frames, one after another:
 *
 *     kind u8 · call id u32 · length of the body u32 · body              (numbers are big-endian, text is UTF-8)
 *
 * - `call` (client): timeout in milliseconds u32; path, request id, traceparent or '', each behind its length u16; then
 *   the request message. Ids are the client's, and differ among the calls that go on.
 * - `cancel` (client): the caller has given the call up.
 * - `answer` (server): the response message. `failure` (server): the public face of an error (`status.ts`).
 * - `refused` (server): no handler has seen the call, nor will.
 * - `stopping` (server, id 0): the client is to make no more calls here, and to half-close the stream.
 * - `part` (both): the next bytes of a body that is too large for one frame. A frame of another kind has the last ones.
 *
 * Parts of one body follow each other: other frames may come between, but when parts of another body do, the first one
 * was given up.
 */
export const FrameKind = {
  call: 1,
  cancel: 2,
  answer: 3,
  failure: 4,
  refused: 5,
  stopping: 6,
  part: 7,
} as const;

/** The path of the stream's method. */
export const streamPath = '/parley.rpc.v1.Calls/Exchange';

/** A larger body is sent in parts of this size, so that it does not hold up the calls beside it. */
export const bodyBytesMax = 64 * 1024;

/** The bytes of a frame before its body. */
export const headBytes = 9;

/** A frame. Its body may be larger than a frame on the wire may have: see `pieceOf`. */
export function frame(kind: number, id: number, body?: Uint8Array): Buffer {
  const bytes = Buffer.allocUnsafe(headBytes + (body?.length ?? 0));
  writeHead(bytes, kind, id);
  if (body) bytes.set(body, headBytes);
  return bytes;
}

/** A `call` frame. `path` comes as `prefixed` gives it, since it is the same in all calls of a method. */
export function callFrame(
  id: number,
  timeoutMs: number,
  path: Buffer,
  requestId: string,
  traceparent: string,
  message: Uint8Array,
): Buffer {
  const requestIdBytes = Buffer.byteLength(requestId);
  const textBytes = path.length + 2 + requestIdBytes + 2 + traceparent.length;
  const bytes = Buffer.allocUnsafe(headBytes + 4 + textBytes + message.length);
  writeHead(bytes, FrameKind.call, id);
  let at = bytes.writeUInt32BE(timeoutMs, headBytes);
  bytes.set(path, at);
  at = bytes.writeUInt16BE(requestIdBytes, at + path.length);
  at += bytes.write(requestId, at);
  at = bytes.writeUInt16BE(traceparent.length, at);
  at += bytes.write(traceparent, at, 'latin1');
  bytes.set(message, at);
  return bytes;
}

/** Text behind its length. */
export function prefixed(text: string): Buffer {
  const bytes = Buffer.allocUnsafe(2 + Buffer.byteLength(text));
  bytes.writeUInt16BE(bytes.length - 2);
  bytes.write(text, 2);
  return bytes;
}

/** What the body of a `call` frame says. */
export interface CallBody {
  timeoutMs: number;
  path: string;
  requestId: string;
  traceparent: string;
  message: Buffer;
}

/** Reads the body of a `call` frame. Throws a RangeError when it is cut off. */
export function readCall(body: Buffer): CallBody {
  const pathEnd = 6 + body.readUInt16BE(4);
  const requestIdEnd = pathEnd + 2 + body.readUInt16BE(pathEnd);
  const traceparentEnd = requestIdEnd + 2 + body.readUInt16BE(requestIdEnd);
  if (traceparentEnd > body.length) throw new RangeError('a call is cut off');
  return {
    timeoutMs: body.readUInt32BE(0),
    path: body.toString('latin1', 6, pathEnd),
    requestId: body.toString('utf8', pathEnd + 2, requestIdEnd),
    traceparent: body.toString('latin1', requestIdEnd + 2, traceparentEnd),
    message: body.subarray(traceparentEnd),
  };
}

/** The frame on the wire that carries the body of a large frame from byte `from` on, and where the next one begins. */
export function pieceOf(large: Buffer, from: number): { piece: Buffer; end: number } {
  const end = Math.min(from + bodyBytesMax, large.length - headBytes);
  const isLast = end === large.length - headBytes;
  const body = large.subarray(headBytes + from, headBytes + end);
  return { piece: frame(isLast ? (large[0] ?? 0) : FrameKind.part, large.readUInt32BE(1), body), end };
}

/**
 * Reads batches: `take` gets each frame with its whole body, which shares memory with the batch. Throws a RangeError for
 * what is no batch of frames, and for a body of more than `bytesMax` bytes; the stream is to be ended then.
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
      if (at + headBytes > batch.length) throw new RangeError('a frame is cut off');
      const kind = batch[at] ?? 0;
      const id = batch.readUInt32BE(at + 1);
      const end = at + headBytes + batch.readUInt32BE(at + 5);
      if (end > batch.length) throw new RangeError('a frame is cut off');
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
