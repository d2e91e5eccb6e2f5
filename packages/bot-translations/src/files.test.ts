import { translationTable } from '@parley/bot/translations/table';
import { applyTranslations } from '@parley/bot/translations/translate';
import { expect, test } from 'vitest';
import { readTranslationsCsv, translationsCsv } from './csv.ts';
import { readTranslationsXliff, translationsXliff } from './xliff.ts';

const source = 'A "quoted" <b> & {{customer.firstName|you}},\n{{context.a}} and {{context.a}};\n=1+1';
const german = '=Zitat "so" <b> & {{context.a}},\n{{customer.firstName|Sie}} und {{context.a}}';
const bot = {
  key: 'feedback',
  steps: [
    { id: 'hi', kind: 'say', text: { en: source, de: german } },
    {
      id: 'how',
      kind: 'ask',
      text: 'How?',
      input: { type: 'choice', choices: [{ value: 'a.b', label: '-Good' }] },
    },
  ],
};
const table = translationTable(bot);
const own = [
  { key: 'hi.text', language: 'de', text: german, source },
  { key: 'how.text', language: 'de', text: '', source: 'How?' },
  { key: 'how.input.choices.a.b', language: 'de', text: '', source: '-Good' },
];

test('CSV has every text, and is read as it was written', () => {
  const csv = translationsCsv(table);
  expect(csv.split('\r\n')[0]).toBe('key,en,de,de (state)');
  expect(readTranslationsCsv(csv, 'en')).toEqual({ translations: own });
  expect(readTranslationsCsv('key;fr\nhow.text;Comment ?\n', 'en')).toEqual({
    translations: [{ key: 'how.text', language: 'fr', text: 'Comment ?' }],
  });
  expect(readTranslationsCsv('a,b\n1,2', 'en')).toEqual({ fault: { kind: 'no-key-column' } });
  expect(readTranslationsCsv('key,de\na,"b', 'en')).toEqual({ fault: { kind: 'not-csv', row: 2 } });
});

test('XLIFF has every text, with references as inline codes, and is read as it was written', () => {
  const xliff = translationsXliff(table, 'de', 'feedback');
  expect(xliff).toContain('version="2.1" srcLang="en" trgLang="de"');
  expect(xliff).toContain('<ph id="r1" disp="{{customer.firstName|you}}"/>');
  expect(xliff).toContain('<segment state="initial">');
  expect(readTranslationsXliff(xliff)).toEqual({ language: 'de', translations: own });
});

test('what a file leaves out stays: an empty cell, a short row, a unit without a target', () => {
  const text = JSON.stringify(bot);
  const files = [
    readTranslationsCsv('key,en,de\nhi.text,Hi,\nhow.text\n', 'en'),
    readTranslationsXliff(translationsXliff(translationTable(bot, undefined, ['fr']), 'fr', 'feedback')),
    readTranslationsXliff(
      translationsXliff(table, 'de', 'feedback').replaceAll(/<target.*?<\/target>/gs, ''),
    ),
  ];
  for (const file of files) {
    const given = 'translations' in file ? file.translations : [];
    expect(given.length).toBeGreaterThan(1);
    expect(applyTranslations(text, given)).toEqual({ text, changed: 0, faults: [] });
  }
});

test('a file that nobody has changed changes nothing', () => {
  const arabic = '  \u200Fمرحبا {{customer.firstName|بك}}، {{context.a}}\u00A0؟ \r\n‏(١٢٣) <b>“=1+1”</b>\t\n';
  const spoken = {
    key: 'feedback',
    steps: [
      { id: 'hi', kind: 'say', text: { en: source, de: german, ar: arabic, 'pt-BR': 'Oi {{context.b}}' } },
      ...bot.steps.slice(1),
    ],
  };
  const text = JSON.stringify(spoken);
  const all = translationTable(spoken);
  const csv = translationsCsv(all);
  const files = [
    readTranslationsCsv(csv, 'en'),
    readTranslationsCsv(`\uFEFF${csv}`, 'en'),
    ...all.languages.map((language) => readTranslationsXliff(translationsXliff(all, language, 'feedback'))),
  ];
  expect(files).toHaveLength(5);
  for (const file of files) {
    const given = 'translations' in file ? file.translations : [];
    expect(given.length).toBeGreaterThan(0);
    expect(applyTranslations(text, given)).toEqual({ text, changed: 0, faults: [] });
  }
});

test('CSV of Excel is read: semicolons, a byte order mark, and line ends of its own', () => {
  const excel = '\uFEFFkey;en;de;de (state)\r\nhow.text;How?;"Wie ""gut"";\nwar es?";missing\r\n;;;\r\n';
  expect(readTranslationsCsv(excel, 'en')).toEqual({
    translations: [{ key: 'how.text', language: 'de', text: 'Wie "gut";\nwar es?', source: 'How?' }],
  });
  const listed = 'sep=;\r\nkey;de\r\nhow.text;Wie?\r\n';
  expect(readTranslationsCsv(listed, 'en')).toEqual({
    translations: [{ key: 'how.text', language: 'de', text: 'Wie?' }],
  });
});

test('XLIFF of other programs is read, and other files say why not', () => {
  const other = `<?xml version="1.0"?><x:xliff xmlns:x="urn:oasis:names:tc:xliff:document:2.0" version="2.0" srcLang="en" trgLang="de">
    <x:file id="f"><x:unit id="how.text"><x:notes><x:note>A note</x:note></x:notes><x:segment><x:source>How?</x:source>
    <x:target><x:mrk id="m1">Wie</x:mrk><![CDATA[?]]></x:target></x:segment></x:unit></x:file></x:xliff>`;
  const read = readTranslationsXliff(other);
  expect(read).toEqual({
    language: 'de',
    translations: [{ key: 'how.text', language: 'de', text: 'Wie?', source: 'How?' }],
  });
  const { text } = applyTranslations(JSON.stringify(bot), 'translations' in read ? read.translations : []);
  expect(JSON.parse(text).steps[1].text).toEqual({ en: 'How?', de: 'Wie?' });
  expect(readTranslationsXliff('<a>\n<b></a>')).toEqual({ fault: { kind: 'not-xml', line: 2 } });
  expect(readTranslationsXliff('<html/>')).toEqual({ fault: { kind: 'not-xliff' } });
});

test('sources and targets count in the segments of a unit only, and all of them or none', () => {
  const unit = (inner: string) =>
    readTranslationsXliff(`<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.1" srcLang="en" trgLang="de"
      xmlns:mtc="urn:oasis:names:tc:xliff:matches:2.0"><file id="f"><unit id="how.text">${inner}</unit></file></xliff>`);
  const is = (text: string, source: string) => ({
    language: 'de',
    translations: [{ key: 'how.text', language: 'de', text, source }],
  });
  const how = '<segment><source>How?</source><target>Wie?</target></segment>';
  const match =
    '<mtc:matches><mtc:match ref="#m1"><source>How then?</source><target>Wie denn?</target></mtc:match></mtc:matches>';
  const other =
    '<x:a xmlns:x="urn:x"><unit id="hi.text"><segment><source>A<x:b/></source><target>B</target></segment></unit></x:a>';
  expect(unit(match + how)).toEqual(is('Wie?', 'How?'));
  expect(unit(how + match)).toEqual(is('Wie?', 'How?'));
  expect(unit(other + how)).toEqual(is('Wie?', 'How?'));
  const space = '<ignorable><source> </source></ignorable>';
  const good = '<segment><source>Good?</source><target>Gut?</target></segment>';
  expect(unit(how + space + good)).toEqual(is('Wie? Gut?', 'How? Good?'));
  expect(unit(`${how}${space}<segment><source>Good?</source></segment>`)).toEqual(is('', 'How? Good?'));
  expect(unit('<segment><source>How?</source></segment>')).toEqual(is('', 'How?'));
});
