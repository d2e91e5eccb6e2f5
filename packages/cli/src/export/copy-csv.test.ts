import { expect, test } from 'vitest';
import { copyCsv, recordsOf } from './copy-csv.ts';

const csv = '\u{feff}id,why\r\n1,"a ""b""\r\n,c"\r\n2,Ü\r\n3,\r\n';
const records = ['\u{feff}id,why\r\n', '1,"a ""b""\r\n,c"\r\n', '2,Ü\r\n', '3,\r\n'];

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

test('a stream that was cut anywhere is completed without gap or double', async () => {
  const bytes = Buffer.from(csv);
  for (let cut = 0; cut < bytes.length; cut += 1) {
    const streams = [streamOf(bytes.subarray(0, cut), 5, new TypeError('terminated')), streamOf(bytes, 5)];
    let written = '';
    let count = 0;
    await copyCsv(async () => streams.shift() ?? expect.fail('read too often'), {
      write: async (text, interactions = 1) => {
        written += text;
        count += interactions;
      },
      flush: async () => {},
      [Symbol.asyncDispose]: async () => {},
    });
    expect([written, count]).toEqual([csv, 3]);
  }
});
