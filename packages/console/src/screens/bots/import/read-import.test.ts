import { expect, test } from 'vitest';
import { readImport } from './read-import.ts';

const form = {
  title: 'Feedback',
  fields: [{ ref: 'how', type: 'rating', title: 'How was it?' }],
  thankyou_screens: [],
};

test('an export becomes a bot with its report', async () => {
  const read = await readImport(new Blob([`\uFEFF${JSON.stringify(form)}`]));
  expect(read).toMatchObject({
    imported: { format: 'typeform', definition: { name: 'Feedback' }, faults: [] },
  });
});

test('a file with bytes of another character set does not become a bot with other words', async () => {
  const text = Buffer.from(JSON.stringify({ ...form, title: 'Größe' }));
  const read = await readImport(new Blob([text, Buffer.from([0xfc])]));
  expect(read).toEqual({ fault: { kind: 'damaged' } });
});

test('a file that is none says why', async () => {
  const faultOf = async (text: string) => {
    const read = await readImport(new Blob([text]));
    return 'fault' in read ? read.fault : undefined;
  };
  expect(await faultOf('{\n"title": "Feedback"\n"fields": []}')).toEqual({ kind: 'notJson', line: 3 });
  expect(await faultOf('')).toEqual({ kind: 'notJson', line: 1 });
  expect(await faultOf('{"steps": []}')).toEqual({ kind: 'unknownFormat' });
  expect(await faultOf(' '.repeat(5 * 1024 * 1024))).toEqual({ kind: 'fileTooLarge', mebibytes: 4 });
  const fields = Array.from({ length: 300 }, (_, n) => ({
    type: 'long_text',
    title: `${n} ${'x'.repeat(300)}`,
  }));
  expect(await faultOf(JSON.stringify({ ...form, fields }))).toMatchObject({ kind: 'botTooLarge' });
});
