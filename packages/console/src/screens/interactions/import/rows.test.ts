import { decodeText, readCsv } from '@parley/runtime/csv-reader';
import { expect, test } from 'vitest';
import { linksCsv } from './invite.ts';
import { checkRows } from './rows.ts';

const latin1 = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
const check = (text: string, context: string[] = []) => checkRows(readCsv(text), context);

test('rows become invitations, and faults have their rows', () => {
  const text = [
    'customerId,firstName,email,context.productName,surname',
    'c-1,Ada,ada@example.com,Tea,',
    ',Eve,,,',
    'c-3,,nonsense,,',
    'c-4',
  ].join('\n');
  const { items, faults } = check(text, ['productName']);
  expect(items).toEqual([
    {
      row: 2,
      cells: ['c-1', 'Ada', 'ada@example.com', 'Tea', ''],
      item: {
        customerId: 'c-1',
        customer: { firstName: 'Ada', email: 'ada@example.com' },
        context: [{ key: 'productName', value: 'Tea' }],
      },
    },
  ]);
  expect(faults).toEqual([
    { row: 1, column: 'surname', kind: 'unknownColumn' },
    { row: 3, column: 'customerId', kind: 'badId' },
    { row: 4, column: 'email', kind: 'badEmail' },
    { row: 5, column: '', kind: 'cellCount' },
  ]);
});

test('faults name the row of the spreadsheet, also behind cells of several lines and empty lines', () => {
  const text = '\r\ncustomerId;firstName;email\r\nc-1;"two\r\nlines";\r\n;;\r\nc-2;;nonsense\r\n';
  expect(check(text).faults).toEqual([{ row: 5, column: 'email', kind: 'badEmail' }]);
  expect(check(`sep=;${text}`).faults).toEqual([{ row: 4, column: 'email', kind: 'badEmail' }]);
});

test('a row may have an expiry in seconds or days, and a priority', () => {
  const text = [
    'customerId,expiry,priority',
    'c-1,86400,High',
    'c-2,,',
    'c-3, 30d ,',
    'c-4,30 days,',
    'c-5,1 Day,',
    'c-6,2 Tage,',
    'c-7,0,',
    'c-8,3650d,',
  ].join('\n');
  const { items, faults } = check(text);
  expect(faults).toEqual([]);
  expect(items.map(({ item }) => item)).toEqual([
    { customerId: 'c-1', expiry: 86_400, priority: 'High' },
    { customerId: 'c-2' },
    { customerId: 'c-3', expiry: 30 * 86_400 },
    { customerId: 'c-4', expiry: 30 * 86_400 },
    { customerId: 'c-5', expiry: 86_400 },
    { customerId: 'c-6', expiry: 2 * 86_400 },
    { customerId: 'c-7', expiry: 0 },
    { customerId: 'c-8', expiry: 3650 * 86_400 },
  ]);
});

test('an expiry in any other form is a fault', () => {
  const words =
    "soon -1 +1 86.400 86,400 86'400 1_000 0x10 1e3 .5 ５ NaN Infinity 1.5d -1d d 30h 3651d 315360001";
  const forms = [...words.split(' '), ' 1e3', '86 400', '30 d d', '9'.repeat(400)];
  const { items, faults } = check(['customerId;expiry', ...forms.map((form) => `c;${form}`)].join('\n'));
  expect(items).toEqual([]);
  expect(faults).toEqual(forms.map((_, at) => ({ row: at + 2, column: 'expiry', kind: 'badExpiry' })));
});

test('a priority is one of three words', () => {
  expect(check('customerId,priority\nc-1,high').faults).toEqual([
    { row: 2, column: 'priority', kind: 'badPriority' },
  ]);
});

test('a row that would replace what another one says about its customer is a fault that names both', () => {
  const text = [
    'customerId,firstName,lastName,email',
    'c-1,Ada,,',
    'c-2,Ada,,',
    ' c-1 , Ada ,Lovelace,',
    'c-1,,,a@example.com',
    'c-1,Eva,King,b@example.com',
    'C-1,Eva,,',
  ].join('\n');
  expect(check(text).faults).toEqual([
    { row: 6, column: 'firstName', kind: 'otherValue', otherRow: 2 },
    { row: 6, column: 'lastName', kind: 'otherValue', otherRow: 4 },
    { row: 6, column: 'email', kind: 'otherValue', otherRow: 5 },
  ]);
});

test('a quotation mark that is not closed is the fault of its row, and nothing is taken', () => {
  const { items, faults } = check('customerId,firstName\nc-1,Ada\nc-2,"Eva\nc-3,Joe\n');
  expect(items).toEqual([]);
  expect(faults).toEqual([{ row: 3, column: '', kind: 'unclosedQuote' }]);
});

test('customers of a file in Windows-1252 keep their ids apart', () => {
  const { text } = decodeText(latin1('customerId\nmüller\nmöller\n'));
  expect(check(text).items.map(({ item }) => item.customerId)).toEqual(['müller', 'möller']);
});

test('a file needs rows and ids', () => {
  expect(check('').faults).toEqual([{ row: 1, column: '', kind: 'empty' }]);
  expect(check('name\nAda\n').faults).toContainEqual({ row: 1, column: 'customerId', kind: 'missingColumn' });
});

test('the links have the columns and the separator of the file, without formulas', () => {
  const checked = check(
    'sep=;\nemail;customerId;firstName;expiry\n;c-1;"=1;+2";30d\na@example.com;c-2;"A, ""B""\n＝1";\n;c-3;;\n',
  );
  const links = ['https://a.example/1', 'https://a.example/2', undefined];
  const invited = checked.items.map((invitation, index) => ({
    invitation,
    link: links[index],
    error: undefined,
  }));
  expect(linksCsv(invited, checked)).toBe(
    '\uFEFFemail;customerId;firstName;expiry;link\r\n' +
      ';c-1;"\'=1;+2";30d;https://a.example/1\r\n' +
      'a@example.com;c-2;"A, ""B""\n\'＝1";;https://a.example/2\r\n',
  );
});

test('the links name an unusual separator, and are read again as they were written', () => {
  const checked = check('sep=|\ncustomerId|firstName\nc-1|"A|B"\n');
  const [invitation] = checked.items;
  if (!invitation) throw new Error('the file has no row');
  const text = linksCsv([{ invitation, link: 'https://a.example/1', error: undefined }], checked);
  expect(text).toBe('\uFEFFsep=|\r\ncustomerId|firstName|link\r\nc-1|"A|B"|https://a.example/1\r\n');
  expect(readCsv(text).rows[1]?.cells.map((cell) => cell.text)).toEqual([
    'c-1',
    'A|B',
    'https://a.example/1',
  ]);
});
