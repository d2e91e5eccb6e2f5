import { connect as connectHttp2 } from 'node:http2';
import { connect } from 'node:net';
import fc from 'fast-check';
import { FrameKind, frame, streamPath } from '../../packages/rpc/src/wire/frame.ts';

// Frames as in packages/rpc/src/wire/frame.ts, valid and invalid, over HTTP/2 like gRPC.

const u16 = (text: string): Buffer => {
  const bytes = Buffer.from(text);
  return Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 255]), bytes]);
};

/** Batches of frames to a service whose methods have these paths. */
function batchesOf(paths: readonly string[]): fc.Arbitrary<Buffer> {
  const message = fc.uint8Array({ maxLength: 60 });
  const body = fc.oneof(
    fc
      .tuple(
        fc.nat(0xffff_ffff),
        fc.constantFrom(...paths, '/no.such/Method', '__proto__', ''),
        fc.string(),
        fc.string(),
        message,
      )
      .map(([timeoutMs, path, requestId, traceparent, bytes]) => {
        const timeout = Buffer.alloc(4);
        timeout.writeUInt32BE(timeoutMs);
        return Buffer.concat([timeout, u16(path), u16(requestId), u16(traceparent), bytes]);
      }),
    message.map((bytes) => Buffer.from(bytes)),
    fc.constant(Buffer.alloc(64 * 1024)),
    fc.constant(Buffer.alloc(64 * 1024 + 1)),
  );
  const kinds = fc.oneof(fc.constantFrom(...Object.values(FrameKind)), fc.nat(255));
  const one = fc
    .tuple(kinds, fc.oneof(fc.nat(5), fc.nat(0xffff_ffff)), body)
    .map(([kind, id, bytes]) => frame(kind, id, bytes));
  const whole = fc.array(one, { minLength: 1, maxLength: 6 }).map((frames) => Buffer.concat(frames));
  return fc.oneof(
    { weight: 4, arbitrary: whole },
    { weight: 1, arbitrary: fc.tuple(whole, fc.nat(2_000)).map(([bytes, end]) => bytes.subarray(0, end)) },
    { weight: 1, arbitrary: message.map((bytes) => Buffer.from(bytes)) },
  );
}

function grpcMessage(bytes: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(bytes.length, 1);
  return Buffer.concat([head, bytes]);
}

interface FrameFuzz {
  /** `host:port` */
  address: string;
  /** The tokens to send; undefined is none. */
  tokens: readonly (string | undefined)[];
  paths: readonly string[];
  connections: number;
  seed: number;
}

/**
 * Opens streams of calls and single calls with arbitrary content, and connections of other protocols. Any end is
 * allowed; the caller checks that the server still serves.
 */
export async function fuzzFrames({ address, tokens, paths, connections, seed }: FrameFuzz): Promise<void> {
  const visits = fc.record({
    token: fc.constantFrom(...tokens),
    path: fc.oneof(
      { weight: 5, arbitrary: fc.constant(streamPath) },
      { weight: 1, arbitrary: fc.constantFrom(...paths) },
    ),
    batches: fc.array(batchesOf(paths), { maxLength: 4 }),
    isAbrupt: fc.boolean(),
  });
  for (const { token, path, batches, isAbrupt } of fc.sample(visits, { numRuns: connections, seed })) {
    const session = connectHttp2(`http://${address}`).on('error', () => {});
    const stream = session.request({
      ':method': 'POST',
      ':path': path,
      'content-type': 'application/grpc',
      te: 'trailers',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    });
    stream.on('error', () => {}).resume();
    for (const batch of batches) stream.write(isAbrupt ? batch : grpcMessage(batch));
    stream.end();
    await closed(stream);
    session.destroy();
  }
  const garbage = fc.uint8Array({ minLength: 1, maxLength: 400 }).map((bytes) => Buffer.from(bytes));
  const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
  const others = fc.oneof(
    garbage,
    garbage.map((bytes) => Buffer.concat([preface, bytes])),
    fc.constant(Buffer.from('GET / HTTP/1.1\r\n\r\n')),
  );
  for (const bytes of fc.sample(others, { numRuns: connections, seed })) {
    const [host = '', port = ''] = address.split(':');
    const socket = connect(Number(port), host).on('error', () => {});
    socket.resume().end(bytes);
    await closed(socket);
    socket.destroy();
  }
}

const closeMsMax = 200;

/** Waits until it is closed, but not for long. */
function closed(stream: { once(event: 'close', listener: () => void): unknown }): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, closeMsMax);
    stream.once('close', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
