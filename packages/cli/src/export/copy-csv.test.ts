import { NoAnswerError } from '@parley/client';
import { expect, test } from 'vitest';
import { copyCsv, recordsOf } from './copy-csv.ts';

const csv = '\u{feff}id,why\r\n1,"a ""b""\r\n,c"\r\n2,Ü\r\n3,\r\n';
const records = ['\u{feff}id,why\r\n', '1,"a ""b""\r\n,c"\r\n', '2,Ü\r\n', '3,\r\n'];

const wasCut = new NoAnswerError({
  status: undefined,
  type: 'no-answer',
  detail: 'There was no answer: terminated',
});

/** A stream of the bytes up to `end`, in chunks of so many bytes, which then ends or fails. */
function streamOf(bytes: Uint8Array, chunk: number, failure?: Error): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start: (controller) => {
      for (let at = 0; at < bytes.length; at += chunk) controller.enqueue(bytes.subarray(at, at + chunk));
      if (!failure) controller.close();
    },
    pull: (controller) => controller.error(failure),
  });
}

test.each([1, 2, 3, 7, 1000])('records are found in chunks of %i bytes', async (chunk) => {
  const found = [];
  for await (const record of recordsOf(streamOf(Buffer.from(csv), chunk))) found.push(record);
  expect(found).toEqual(records);
});

/** Copies the streams one after another. Returns what was written. */
async function copied(streams: ReadableStream<Uint8Array>[], remembered?: number) {
  let text = '';
  let count = 0;
  const output = {
    write: async (part: string, interactions = 1) => {
      text += part;
      count += interactions;
    },
    flush: async () => {},
    [Symbol.asyncDispose]: async () => {},
  };
  const open = async () => streams.shift() ?? expect.fail('read too often');
  await copyCsv(open, output, remembered);
  return { text, count };
}

const cutStream = (text: string) => streamOf(Buffer.from(text), 5, wasCut);
const wholeStream = (text: string) => streamOf(Buffer.from(text), 5);
/** An export of these records. */
const exportOf = (...ids: string[]) => ['id\r\n', ...ids.map((id) => `${id}\r\n`)].join('');

test('a stream that was cut anywhere is completed without gap or double', async () => {
  const bytes = Buffer.from(csv);
  for (const remembered of [1, 2, 100]) {
    for (let cut = 0; cut < bytes.length; cut += 1) {
      const streams = [streamOf(bytes.subarray(0, cut), 5, wasCut), streamOf(bytes, 5)];
      expect(await copied(streams, remembered)).toEqual({ text: csv, count: 3 });
    }
  }
});

test('what has changed since the cut comes behind the rest, also if the last record is gone', async () => {
  const cut = cutStream(exportOf('a', 'b', 'c', 'd', 'e'));
  const later = wholeStream(exportOf('a', 'b', 'd', 'f', 'c2', 'e2'));
  const { text } = await copied([cut, later], 3);
  expect(text).toBe(exportOf('a', 'b', 'c', 'd', 'e', 'f', 'c2', 'e2'));
});

test('an export that cannot be continued fails instead of losing or mixing records', async () => {
  const written = exportOf('a', 'b', 'c', 'd', 'e');
  const failure = { type: 'export-changed' };
  const gone = wholeStream(exportOf('a', 'b', 'c', 'f'));
  await expect(copied([cutStream(written), gone], 2)).rejects.toMatchObject(failure);
  const otherColumns = wholeStream(written.replace('id', 'id,why'));
  await expect(copied([cutStream(written), otherColumns])).rejects.toMatchObject(failure);
});
