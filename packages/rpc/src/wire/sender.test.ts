import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { bodyBytesMax, frame, FrameKind, frameReader } from './frame.ts';
import { outgoing, Sender } from './sender.ts';

/** A stream that passes batches on when `passOn` is called. */
function stream(): { sender: Sender; batches: number[][]; passOn: () => void; bytes: () => number } {
  const batches: number[][] = [];
  let unwritten: (() => void)[] = [];
  let bytes = 0;
  const read = frameReader(1024 * bodyBytesMax, (_kind, id) => batches.at(-1)?.push(id));
  const sender = new Sender((batch, written) => {
    batches.push([]);
    read(batch);
    bytes += batch.length;
    unwritten.push(written);
  });
  const passOn = (): void => {
    const before = unwritten;
    unwritten = [];
    for (const written of before) written();
  };
  return { sender, batches, passOn, bytes: () => bytes };
}

const small = (id: number) => outgoing(frame(FrameKind.answer, id, Buffer.alloc(100)));
const large = (id: number) => outgoing(frame(FrameKind.answer, id, Buffer.alloc(10 * bodyBytesMax)));

test('the frames of one turn share a batch', async () => {
  const { sender, batches } = stream();
  for (const id of [1, 2, 3]) sender.send(small(id));
  expect(batches).toEqual([]);
  await setImmediate();
  expect(batches).toEqual([[1, 2, 3]]);
});

test('small frames pass large ones, which go one after another', async () => {
  const { sender, batches, passOn } = stream();
  for (const id of [1, 2]) sender.send(large(id));
  await setImmediate();
  sender.send(small(3));
  const sent: number[] = [];
  for (let turn = 0; turn < 30; turn += 1) {
    passOn();
    await setImmediate();
  }
  sent.push(...batches.flat());
  expect(sent).toEqual([3, 1, 2]);
  expect(sender.waitingBytes).toBe(0);
});

test('a stalled stream gets no more batches, and queued bytes are counted', async () => {
  const { sender, bytes, passOn } = stream();
  const items = Array.from({ length: 10_000 }, (_, id) => small(id));
  for (const item of items) sender.send(item);
  await setImmediate();
  expect(bytes()).toBeLessThan(4 * bodyBytesMax);
  expect(sender.waitingBytes + bytes()).toBe(items.length * (items[0]?.frameBytes ?? 0));
  for (let turn = 0; turn < 30; turn += 1) passOn();
  expect(sender.waitingBytes).toBe(0);
  expect(items.every(({ isSent }) => isSent)).toBe(true);
});

test('the frame of a settled call is not sent, nor the rest of a large one', async () => {
  const { sender, batches, bytes, passOn } = stream();
  const items = [small(1), large(2), large(3)];
  for (const item of items) sender.send(item);
  const [dropped] = items;
  if (dropped) dropped.frame = undefined;
  await setImmediate();
  for (const item of items) item.frame = undefined;
  sender.send(small(4));
  for (let turn = 0; turn < 30; turn += 1) {
    passOn();
    await setImmediate();
  }
  expect(batches.flat()).toEqual([4]);
  expect(items.some(({ isSent }) => isSent)).toBe(false);
  expect(bytes()).toBeLessThan(3 * bodyBytesMax);
  expect(sender.waitingBytes).toBe(0);
});

test('a withdrawn frame that is still needed is not sent either', async () => {
  const { sender, batches, passOn } = stream();
  const items = [large(1), large(2), small(3)];
  for (const item of items.slice(0, 2)) sender.send(item);
  await setImmediate();
  for (const item of items.slice(2)) sender.send(item);
  sender.withdraw(new Set(items));
  sender.send(small(4));
  sender.send(large(5));
  for (let turn = 0; turn < 30; turn += 1) {
    passOn();
    await setImmediate();
  }
  expect(batches.flat()).toEqual([4, 5]);
  expect(items.some(({ isSent }) => isSent)).toBe(false);
  expect(sender.waitingBytes).toBe(0);
});

test('`finish` waits for all frames, and nothing is written after `stop`', async () => {
  const { sender, batches, passOn } = stream();
  let isFinished = false;
  sender.send(large(1));
  sender.finish(() => {
    isFinished = true;
  });
  await setImmediate();
  expect(isFinished).toBe(false);
  for (let turn = 0; turn < 30; turn += 1) passOn();
  expect([isFinished, batches.flat()]).toEqual([true, [1]]);

  const stopped = stream();
  stopped.sender.send(small(1));
  stopped.sender.stop();
  stopped.sender.send(small(2));
  await setImmediate();
  expect(stopped.batches).toEqual([]);
});
