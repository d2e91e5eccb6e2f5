import { EventEmitter } from 'node:events';
import type { ServerDuplexStream } from '@grpc/grpc-js';
import { expect, test } from 'vitest';
import { quietLogger as logger } from '@parley/testing/quiet';
import type { ServedMethod } from './answer.ts';
import { Deadlines } from '../wire/deadlines.ts';
import { callFrame, FrameKind, frame, frameReader, lengthPrefixed } from '../wire/frame.ts';
import { InFlight } from './in-flight.ts';
import type { ServerCall } from './server-call.ts';
import { ServerStream } from './server-stream.ts';
import { Stalls } from './stalls.ts';

const path = '/parley.test.v1.Test/Get';

/** A stream with one method, whose calls are answered by hand. Replies are `<frame kind> <body>`. */
function openStream() {
  const handled: ((answer: string) => void)[] = [];
  const method = {
    path,
    callers: ['interaction'],
    grant: 'none',
    rules: {},
    requestDeserialize: (bytes: Buffer) => bytes,
    responseSerialize: (text: string) => Buffer.from(text),
    handle: () => new Promise((resolve) => handled.push(resolve)),
  } as ServedMethod;
  const replies: string[] = [];
  const stalls = new Stalls();
  const read = frameReader(1_000, (kind, _, body) => replies.push(`${kind} ${body.toString()}`));
  const stream = Object.assign(new EventEmitter(), {
    write: (batch: Buffer, written: () => void) => {
      read(batch);
      written();
    },
    isPaused: () => false,
    sendMetadata: () => {},
    getPeer: () => '127.0.0.1:1',
  });
  const server = {
    methods: new Map([[path, method]]),
    inFlight: new InFlight(),
    stalls,
    deadlines: new Deadlines<ServerCall>(() => {}),
    logger,
    grants: undefined,
  };
  void new ServerStream(stream as unknown as ServerDuplexStream<Buffer, Buffer>, 'interaction', server);
  const receive = (bytes: Buffer): Promise<void> => {
    stream.emit('data', bytes);
    return new Promise((resolve) => setImmediate(resolve));
  };
  return { handled, replies, stalls, receive };
}

test('the answer of a cancelled call is not that of its repetition with the same id', async () => {
  const { handled, replies, receive } = openStream();
  const call = callFrame(7, 1_000, lengthPrefixed(path), 'r1', '', '', Buffer.alloc(0));
  await receive(call);
  await receive(frame(FrameKind.cancel, 7));
  await receive(call);
  handled[0]?.('first');
  handled[1]?.('second');
  await expect.poll(() => replies).toEqual([`${FrameKind.answer} second`]);
});

test('a call that is read right after the process was frozen is refused, and accepted when it comes again', async () => {
  const { handled, replies, stalls, receive } = openStream();
  const call = callFrame(7, 1_000, lengthPrefixed(path), 'r1', '', '', Buffer.alloc(0));
  // Blocks the event loop.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_500);
  await receive(call);
  expect(handled).toEqual([]);
  expect(replies).toEqual([`${FrameKind.refused} `]);
  await expect.poll(() => stalls.isResuming).toBe(false);
  await receive(call);
  handled[0]?.('answer');
  await expect.poll(() => replies).toEqual([`${FrameKind.refused} `, `${FrameKind.answer} answer`]);
});
