import { conversationFunctions } from '@parley/bot/editing/known-values';
import { expect, test } from 'vitest';
import { de } from '../../../../../texts/de/de.ts';
import { en } from '../../../../../texts/en/en.ts';
import { expressionOffers, type OffersAt, textOffers } from './offers.ts';

const choices = [
  { value: 'a', label: 'Apples' },
  { value: 'p', label: 'Pears' },
];
const values = [
  { name: 'answers.fruit', label: 'Answer: Which fruit?', needs: { choices } },
  { name: 'answers.nps-score', label: 'Answer: How likely?', needs: {} },
  { name: 'customer.firstName', label: 'Customer: First name', needs: {} },
];
const { functions } = en.steps;
const offered = expressionOffers(values, functions);
/** Returns the names that are offered where the bar is. */
const at = (written: string, offers: OffersAt = offered, isAsked = false): string[] => {
  const place = written.indexOf('|');
  return offers(written.replace('|', ''), place, isAsked).map(({ name }) => name);
};
/** Returns the text with the first offer, with a bar at the cursor. */
const taken = (written: string, offers: OffersAt = offered, isAsked = false): string => {
  const place = written.indexOf('|');
  const text = written.replace('|', '');
  const [offer] = offers(text, place, isAsked);
  if (!offer) return text;
  const { from, to, insert, caret } = offer;
  return `${text.slice(0, from)}${insert.slice(0, caret)}|${insert.slice(caret)}${text.slice(to)}`;
};

test('values are offered by their names and by the words of their questions', () => {
  expect(at('answers.|')).toEqual(['answers.fruit', 'answers.nps-score']);
  expect(at('frui|')).toEqual(['answers.fruit']);
  expect(taken('likely| > 3')).toBe("answers['nps-score']| > 3");
  expect(taken('size(cust|) > 2')).toBe('size(customer.firstName|) > 2');
  expect([at('|'), at('answers.fruit|'), at('|', offered, true).length]).toEqual([[], [], 9]);
});

test('choices are offered where an answer is compared, and nothing else inside of a text', () => {
  expect(at('answers.fruit == |')).toEqual(['a', 'p']);
  expect(taken("answers.fruit != 'pe|'")).toBe("answers.fruit != 'p'|");
  expect(taken('answers.fruit == |')).toBe("answers.fruit == 'a'|");
  expect(at("customer.firstName == 'answ|")).toEqual([]);
});

test('functions are offered alone, or behind a value', () => {
  expect(taken('si|')).toBe('size(|)');
  expect(taken('customer.firstName.con|')).toBe("customer.firstName.contains('|')");
  expect(taken('customer.firstName.tri|')).toBe('customer.firstName.trim()|');
  expect(at('unknown.con|')).toEqual([]);
});

test('between braces, a text is completed with a value', () => {
  const offers = textOffers(values);
  expect(taken('Hi {{cust|', offers)).toBe('Hi {{customer.firstName}}|');
  expect(taken('Hi {{first|}}!', offers)).toBe('Hi {{customer.firstName|}}!');
  expect(at('Hi {{|', offers)).toHaveLength(3);
  expect(at('Hi {|', offers)).toEqual([]);
  expect(at('Hi |', offers, true)).toHaveLength(3);
  expect(taken('Hi |!', offers, true)).toBe('Hi {{answers.fruit}}|!');
});

test('each function of expressions has words in both languages', () => {
  for (const words of [functions, de.steps.functions])
    expect(Object.keys(words).toSorted()).toEqual([...conversationFunctions].toSorted());
});
