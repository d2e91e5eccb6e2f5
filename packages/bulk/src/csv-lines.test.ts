import { expect, test } from 'vitest';
import { columnNames, columnsFor, readCsvLines } from './csv-lines.ts';
import { decodeText } from './decode.ts';
import { type FileFault, faultsInOrder, faultText } from './faults.ts';
import { botFaults, type Defaults, faultsBetween } from './lines.ts';
import { linksFile } from './results.ts';

const contexts = new Map([
  ['key nps', ['note', 'productName']],
  ['key plain', []],
]);

/** Reads a file as both users do. Each fault has its row, its column and its words. */
function check(text: string, defaults: Defaults = { botKey: 'nps' }) {
  const read = readCsvLines(text, defaults);
  const { lines } = read;
  const known = botFaults(lines, contexts);
  const all = faultsInOrder([...read.faults, ...faultsBetween(lines), ...known]);
  const show = ({ row, column, ...fault }: FileFault): string => `${row} ${column}: ${faultText(fault)}`;
  return { ...read, items: lines.map(({ item }) => item), all, faults: all.map(show) };
}

const id = 'customerId';
const noExpiry = 'Must be a number of seconds, or in a CSV file of days, such as 30d';

test.each<[string, string, string[]]>([
  ['no content', '', ['1 : The file is empty']],
  ['only empty rows', '\r\n,,\r\n', ['1 : The file is empty']],
  ['only a header', `${id}\n\n`, ['1 : The file has no row below its header']],
  ['an unknown column', `${id},surname\na,`, [`1 surname: Is not a known column; known: ${columnNames}`]],
  [
    'a column of every object',
    `${id},constructor\na,b`,
    [expect.stringMatching('1 constructor: Is not a known')],
  ],
  ['a context without a name', `${id},context.\na,`, [expect.stringMatching('1 context.: Is not a known')]],
  ['a column twice', `${id},email,email\na,,`, ['1 email: There are two columns of this name']],
  ['a column without a name', `${id},\na,`, ['1 : The column has no name']],
  ['no column for the customer', 'email\na@example.com', ['1 customerId: The column is missing']],
  ['too few cells', `${id},email\na`, ['2 : The row has 1 cells, and the header has 2']],
  ['too many cells', `${id}\na,b`, ['2 : The row has 2 cells, and the header has 1']],
  [
    'a quotation mark that is not closed',
    `${id},email\na,\nb,"b\nc,d`,
    ['3 : The quotation mark is not closed'],
  ],
  [
    'one that the next one closes',
    `${id},email\na,"b\nc,"d"\n`,
    [expect.stringMatching('2 : Has a quotation')],
  ],
  ['a lost character', `${id}\nJ\uFFFDrg`, [expect.stringMatching('2 : Has U\\+FFFD')]],
  ['an id that a spreadsheet has shortened', `${id}\n4.91701E+11`, [expect.stringMatching('lost: make')]],
  [
    'the same with a comma',
    `${id};email\n4,91701E+11;`,
    [expect.stringMatching('2 customerId: Is a number')],
  ],
  ['no customer', `${id},email\n,a@example.com`, ['2 customerId: Is required']],
  ['an id of dots', `${id}\n..`, ['2 customerId: Must not be . or ..']],
  ['a long id', `${id}\n${'x'.repeat(256)}`, ['2 customerId: Must have 1 to 255 characters']],
  ['a long name', `${id},lastName\na,${'😀'.repeat(256)}`, ['2 lastName: Must have at most 255 characters']],
  [
    'half a character',
    `${id},firstName\na,\uD800`,
    ['2 firstName: Must be well-formed Unicode without U+0000'],
  ],
  ['U+0000', `${id},context.note\na,x\0`, ['2 context.note: Must be well-formed Unicode without U+0000']],
  ['no email address', `${id},email\na,nobody`, ['2 email: Must be an email address']],
  ['another word as a priority', `${id},priority\na,high`, ['2 priority: Must be one of: Low, Medium, High']],
  [
    'another word as a status',
    `${id},status\na,Open`,
    ['2 status: Must be one of: Draft, Pending, InProgress, Completed, Expired'],
  ],
  [
    'a long value',
    `${id},context.note\na,${'ä'.repeat(1025)}`,
    ['2 context.note: Must be at most 2 KiB in UTF-8'],
  ],
  ['two bots', `${id},botKey,botId\na,nps,1`, ['2 botKey: Exactly one of botKey and botId is required']],
  ['no key of a bot', `${id},botKey\na,NPS`, ['2 botKey: Must be the key of a bot, such as nps-follow-up']],
  ['an unknown bot', `${id},botKey\na,nps\nb,other`, ['3 botKey: There is no such bot']],
  [
    'another context',
    `${id},context.note,context.color\na,x,\nb,,red`,
    ['3 context.color: Must be one of: note, productName'],
  ],
  [
    'a context for no context',
    `${id},botKey,context.note\na,plain,x`,
    ['2 context.note: This bot takes no context'],
  ],
])('a file with %s has this fault, in this row', (_, text, faults) => {
  expect(check(text).faults).toEqual(faults);
});

test('a context that is too long as a whole has a fault', () => {
  const names = Array.from({ length: 9 }, (_, n) => `context.n${n}`);
  const row = names.map(() => 'x'.repeat(2048));
  const { faults } = readCsvLines(`customerId,${names.join(',')}\na,${row.join(',')}`, { botKey: 'nps' });
  expect(faults).toMatchObject([{ row: 2, column: 'context.n0', kind: 'contextTooLong', values: [16] }]);
});

test('a line without any bot has a fault', () => {
  expect(check('customerId,botKey\na,nps\nb,', {}).faults).toContain(
    '3 botKey: Exactly one of botKey and botId is required',
  );
});

test('all faults are found at once, in the order of the file, with their places', () => {
  const text = [
    'customerId,surname,email,expiry,status,context.note',
    'a,,a@example.com,60,Pending,"one',
    'two ""quoted"", three"',
    '',
    ',,nobody,soon,Nope,x',
    '.,,b@example.com,-1,,',
    'c-4',
    'b,,,,,',
  ].join('\r\n');
  const { all, lines } = check(text);
  const places = all.map(({ row, column, kind, offset, length }) => [
    row,
    column,
    kind,
    text.slice(offset, offset + length),
  ]);
  expect(places).toEqual([
    [1, 'surname', 'unknownColumn', 'surname'],
    [4, 'customerId', 'required', ''],
    [4, 'email', 'badEmail', 'nobody'],
    [4, 'expiry', 'badExpiry', 'soon'],
    [4, 'status', 'notOneOf', 'Nope'],
    [5, 'customerId', 'badId', '.'],
    [5, 'expiry', 'badExpiry', '-1'],
    [6, '', 'cellCount', 'c-4'],
  ]);
  expect(lines.map(({ row, offset }) => [row, text.slice(offset, offset + 2)])).toEqual([
    [2, 'a,'],
    [7, 'b,'],
  ]);
});

test('faults name the row of the spreadsheet, also behind cells of several lines, empty lines and sep=', () => {
  const text = '\r\ncustomerId;firstName;email\r\nc-1;"two\r\nlines";\r\n;;\r\nc-2;;nonsense\r\n';
  expect(check(text).faults).toEqual(['5 email: Must be an email address']);
  expect(check(`sep=;${text}`).faults).toEqual(['4 email: Must be an email address']);
});

test('a row becomes an interaction: blanks around cells do not count, and empty cells are fields without a value', () => {
  const text = [
    ' customerId ;firstName;lastName;email;botKey;botId;status;priority;expiry;context.note;context.productName',
    ' a ;Ada; ;a@example.com;;; Draft;High ; 30d ;;Tea',
    'b;;;;plain;;;;;;',
    'c;;;;;7;Completed;;0;;',
  ].join('\n');
  const { items } = readItems(text);
  expect(items).toEqual([
    {
      customerId: 'a',
      customer: { firstName: 'Ada', email: 'a@example.com' },
      botKey: 'nps',
      status: 'Draft',
      priority: 'High',
      expiry: 30 * 86_400,
      context: [{ key: 'productName', value: 'Tea' }],
    },
    { customerId: 'b', botKey: 'plain', status: 'Pending' },
    { customerId: 'c', botId: '7', status: 'Completed', expiry: 0 },
  ]);
});

function readItems(text: string) {
  const { lines, faults } = readCsvLines(text, { botKey: 'nps', status: 'Pending' });
  expect(faults).toEqual([]);
  return { items: lines.map(({ item }) => item) };
}

test.each([
  ['86400', 86_400],
  ['30d', 30 * 86_400],
  ['30 days', 30 * 86_400],
  ['1 Day', 86_400],
  ['2 Tage', 2 * 86_400],
  ['3650d', 3650 * 86_400],
])('the expiry %s is %i seconds', (cell, expiry) => {
  expect(readItems(`customerId,expiry\nc,${cell}`).items).toMatchObject([{ expiry }]);
});

test('an instant has a zone, and any other form is a fault', () => {
  const at = '2026-12-01T09:00:00+01:00';
  expect(readItems(`customerId,availableFrom\nc,${at}`).items).toMatchObject([{ availableFrom: at }]);
  const others = ['2026-12-01', '2026-12-01T09:00:00', '01.12.2026 09:00', '2026-13-01T09:00:00Z', 'soon'];
  const { faults } = check(['customerId;availableFrom', ...others.map((form) => `c;${form}`)].join('\n'));
  expect(faults).toHaveLength(others.length);
});

test('an expiry in any other form is a fault', () => {
  const words =
    "soon -1 +1 86.400 86,400 86'400 1_000 0x10 1e3 .5 ５ NaN Infinity 1.5d -1d d 30h 3651d 315360001";
  const forms = [...words.split(' '), ' 1e3', '86 400', '30 d d', '9'.repeat(400)];
  const { lines, faults } = check(['customerId;expiry', ...forms.map((form) => `c;${form}`)].join('\n'));
  expect(lines).toEqual([]);
  const tooLong = ['3651d', '315360001', '9'.repeat(400)];
  expect(faults).toEqual(
    forms.map((form, at) => {
      const detail = tooLong.includes(form) ? 'Must be at most ten years, in seconds from now' : noExpiry;
      return `${at + 2} expiry: ${detail}`;
    }),
  );
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
    '6 firstName: Row 2 has another value for this customer',
    '6 lastName: Row 4 has another value for this customer',
    '6 email: Row 5 has another value for this customer',
  ]);
});

test('customers of a file in Windows-1252 keep their ids apart', () => {
  const { text } = decodeText(Buffer.from('customerId\nmüller\nmöller\n', 'latin1'));
  expect(check(text).items.map(({ customerId }) => customerId)).toEqual(['müller', 'möller']);
});

test('the columns for a bot are those of every file, and its context', () => {
  const fixed = 'customerId,firstName,lastName,email,botKey,botId,status,priority,expiry,availableFrom'.split(
    ',',
  );
  expect(columnsFor(['note'])).toEqual([...fixed, 'context.note']);
  expect(columnNames).toBe([...fixed, 'context.<name>'].join(', '));
});

test('the links have the columns and the separator of the file, without formulas', () => {
  const read = check(
    'sep=;\nemail;customerId;firstName;expiry\n;c-1;"=1;+2";30d\na@example.com;c-2;"A, ""B""\n＝1";\n;c-3;;\n',
  );
  const links = ['https://a.example/1', 'https://a.example/2'];
  const results = read.lines.map((line, at) => ({
    line,
    ...(links[at] !== undefined && { link: links[at] }),
  }));
  expect(linksFile(results, read)).toBe(
    'email;customerId;firstName;expiry;link\r\n' +
      ';c-1;"\'=1;+2";30d;https://a.example/1\r\n' +
      'a@example.com;c-2;"A, ""B""\n\'＝1";;https://a.example/2\r\n',
  );
});

test('the links name an unusual separator, and are read again as they were written', () => {
  const read = check('sep=|\ncustomerId|firstName\nc-1|"A|B"\n');
  const text = linksFile(
    read.lines.map((line) => ({ line, link: 'https://a.example/1' })),
    read,
  );
  expect(text).toBe('sep=|\r\ncustomerId|firstName|link\r\nc-1|"A|B"|https://a.example/1\r\n');
});
