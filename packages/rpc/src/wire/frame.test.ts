import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  bodyBytesMax,
  callFrame,
  frame,
  FrameKind,
  frameReader,
  headBytes,
  pieceOf,
  lengthPrefixed,
  readCall,
} from './frame.ts';

interface Taken {
  kind: number;
  id: number;
  body: Buffer;
}

function reader(bytesMax = 16 * bodyBytesMax): { read: (batch: Buffer) => void; taken: Taken[] } {
  const taken: Taken[] = [];
  return { taken, read: frameReader(bytesMax, (kind, id, body) => taken.push({ kind, id, body })) };
}

function piecesOf(large: Buffer): Buffer[] {
  const pieces: Buffer[] = [];
  for (let from = 0; from < large.length - headBytes; ) {
    const { piece, end } = pieceOf(large, from);
    pieces.push(piece);
    from = end;
  }
  return pieces;
}

const text = fc.string({ unit: 'binary' });
const uint32 = fc.nat(2 ** 32 - 1);

test('a call arrives as it was made', () => {
  const grant = fc.constantFrom('', 'a_grant.with-a_signature');
  const call = fc.record({ id: uint32, timeoutMs: uint32, requestId: text, grant, message: fc.uint8Array() });
  const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
  fc.assert(
    fc.property(
      call,
      fc.constantFrom('', traceparent),
      ({ id, timeoutMs, requestId, grant, message }, trace) => {
        const path = '/a.Service/Method';
        const { read, taken } = reader();
        read(callFrame(id, timeoutMs, lengthPrefixed(path), requestId, trace, grant, message));
        expect(taken).toMatchObject([{ kind: FrameKind.call, id }]);
        const body = readCall(taken[0]?.body ?? Buffer.alloc(0));
        expect({ ...body, message: [...body.message] }).toEqual({
          path,
          timeoutMs,
          requestId: requestId.toWellFormed(),
          traceparent: trace,
          grant,
          message: [...message],
        });
      },
    ),
  );
});

test('frames arrive in their order, however they are batched', () => {
  const frames = fc.array(fc.record({ id: uint32, body: fc.uint8Array(), endsBatch: fc.boolean() }));
  fc.assert(
    fc.property(frames, (sent) => {
      const { read, taken } = reader();
      let batch: Buffer[] = [];
      for (const { id, body, endsBatch } of sent) {
        batch.push(frame(FrameKind.answer, id, body));
        if (!endsBatch) continue;
        read(Buffer.concat(batch));
        batch = [];
      }
      read(Buffer.concat(batch));
      expect(taken.map(({ id, body }) => ({ id, body: [...body] }))).toEqual(
        sent.map(({ id, body }) => ({ id, body: [...body] })),
      );
    }),
  );
});

test('a large body is reassembled, with other frames between its pieces', () => {
  const bodyBytes = fc.integer({ min: bodyBytesMax + 1, max: 4 * bodyBytesMax });
  fc.assert(
    fc.property(bodyBytes, (bytes) => {
      const body = Buffer.alloc(bytes, 'large body ');
      const { read, taken } = reader();
      for (const piece of piecesOf(frame(FrameKind.answer, 7, body))) {
        expect(piece.length).toBeLessThanOrEqual(headBytes + bodyBytesMax);
        read(Buffer.concat([frame(FrameKind.answer, 8), piece]));
      }
      expect(taken.filter(({ id }) => id === 8)).toHaveLength(Math.ceil(bytes / bodyBytesMax));
      expect(taken.find(({ id }) => id === 7)?.body.equals(body)).toBe(true);
    }),
    { numRuns: 20 },
  );
});

test('pieces of a cancelled body are dropped', () => {
  const { read, taken } = reader();
  const [first = Buffer.alloc(0)] = piecesOf(frame(FrameKind.call, 1, Buffer.alloc(2 * bodyBytesMax, 'a')));
  const second = Buffer.alloc(2 * bodyBytesMax, 'b');
  read(first);
  for (const piece of piecesOf(frame(FrameKind.call, 2, second))) read(piece);
  read(Buffer.concat([first, frame(FrameKind.cancel, 1), frame(FrameKind.call, 1, Buffer.from('c'))]));
  expect(taken.map(({ kind, id }) => [kind, id])).toEqual([
    [FrameKind.call, 2],
    [FrameKind.cancel, 1],
    [FrameKind.call, 1],
  ]);
  expect(taken[0]?.body.equals(second)).toBe(true);
  expect(taken[2]?.body.toString()).toBe('c');
});

test('a body that is too large is rejected before it is complete', () => {
  const { read, taken } = reader(2 * bodyBytesMax);
  const pieces = piecesOf(frame(FrameKind.call, 1, Buffer.alloc(5 * bodyBytesMax)));
  expect(() => pieces.slice(0, 3).forEach(read)).toThrow(RangeError);
  expect(taken).toEqual([]);
  const tooLarge = frame(FrameKind.call, 1, Buffer.alloc(bodyBytesMax + 1));
  expect(() => reader().read(tooLarge)).toThrow(RangeError);
});

test('a malformed batch is rejected, and never read beyond its end', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
      const { read, taken } = reader();
      try {
        read(Buffer.from(bytes));
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError);
      }
      for (const { body } of taken) {
        expect(body.length).toBeLessThan(bytes.length);
        try {
          readCall(body);
        } catch (error) {
          expect(error).toBeInstanceOf(RangeError);
        }
      }
    }),
  );
  const whole = callFrame(1, 5, lengthPrefixed('/a/b'), 'id', '', '', Buffer.alloc(0));
  for (let end = headBytes; end < whole.length; end += 1) {
    expect(() => readCall(whole.subarray(headBytes, end))).toThrow(RangeError);
  }
});
