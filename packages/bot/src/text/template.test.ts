import fc from 'fast-check';
import { expect, test } from 'vitest';
import { localText, type Referent, render, shorten, templateReferences } from './template.ts';

const values: Record<string, Referent> = {
  firstName: { value: 'Mia', personal: true },
  empty: { value: '', personal: true },
  nested: { value: '{{customer.email}}', personal: false },
};
const lookUp = ({ name }: { name: string }) => (Object.hasOwn(values, name) ? values[name] : undefined);

test('values are filled in once, and are not templates', () => {
  expect(render('Hi {{ customer.firstName }}, {{context.nested|x}}!', lookUp, 100)).toEqual({
    body: 'Hi Mia, {{customer.email}}!',
    personal: [[3, 6]],
  });
});

test('a missing or empty value gives its fallback, else nothing; neither is personal', () => {
  const text =
    '[{{answers.none|some one}}][{{customer.empty| there }}][{{customer.empty}}][{{context.none|}}]';
  expect(render(text, lookUp, 100)).toEqual({ body: '[some one][there][][]', personal: [] });
});

test('text that is no reference stays unchanged', () => {
  expect(render('{{x}} { {{customer.firstName}} }}', lookUp, 100).body).toBe('{{x}} { Mia }}');
  expect(templateReferences('{{x}} {{customer.firstName|a}} }}')).toEqual({
    references: [{ source: 'customer', name: 'firstName', fallback: 'a' }],
    malformed: ['{{x}}', '}}'],
  });
});

test('a body that is too long is cut, with its spans', () => {
  expect(render('ab{{customer.firstName}}cd{{customer.firstName}}', lookUp, 5)).toEqual({
    body: 'abMi…',
    personal: [[2, 4]],
  });
  expect(shorten('ab😀cd', 4)).toBe('ab…');
});

test('a span covers its value', () => {
  const part = fc.oneof(
    fc.constant('{{customer.firstName}}'),
    fc.string().filter((text) => !/[{}]/.test(text)),
  );
  fc.assert(
    fc.property(fc.array(part), fc.integer({ min: 10, max: 60 }), (parts, max) => {
      const { body, personal } = render(parts.join(''), lookUp, max);
      expect(body.length).toBeLessThanOrEqual(max);
      for (const [start, end] of personal) expect('Mia'.startsWith(body.slice(start, end))).toBe(true);
    }),
  );
});

test("the requested language, then its base, then the definition's own", () => {
  const text = { en: 'Hello', fr: 'Bonjour', 'pt-BR': 'Oi' };
  expect(localText(text, 'PT-br', 'en')).toBe('Oi');
  expect(localText(text, 'fr-CA', 'en')).toBe('Bonjour');
  expect(localText(text, 'de', 'en')).toBe('Hello');
  expect(localText(text, 'de', 'sv')).toBe('Hello');
  expect(localText('Hello', 'fr', 'en')).toBe('Hello');
});

test('a tag is shortened from its end until there is a text', () => {
  const text = { en: 'Hello', zh: '你好', 'zh-Hant': '您好', 'de-x-du': 'Na', de: 'Hallo' };
  expect(localText(text, 'zh-Hant-TW', 'en')).toBe('您好');
  expect(localText(text, 'zh-Hans-CN', 'en')).toBe('你好');
  expect(localText(text, 'zh-Hant-TW-u-nu-latn', 'en')).toBe('您好');
  expect(localText(text, 'de-x-du', 'en')).toBe('Na');
  // Never looked up as "de-x", which is no tag.
  expect(localText({ ...text, 'de-x': 'Nein' }, 'de-x-sie', 'en')).toBe('Hallo');
  expect(localText(text, 'en-x-foo', 'de')).toBe('Hello');
});
