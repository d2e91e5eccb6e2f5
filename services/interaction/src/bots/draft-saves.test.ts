import { expect, test } from 'vitest';
import { addSave, changedPlaces } from './draft-saves.ts';

const at = (second: number): Date => new Date(Date.UTC(2026, 0, 1, 0, 0, second));

test('places are fields of the bot, and steps by their ids', () => {
  const before = {
    name: 'A',
    steps: [
      { id: 'hi', kind: 'say', text: 'Hi' },
      { id: 'bye', kind: 'end' },
    ],
  };
  const after = {
    name: 'B',
    steps: [
      { id: 'hi', kind: 'say', text: 'Hello' },
      { id: 'new', kind: 'say', text: 'x' },
      { id: 'bye', kind: 'end' },
    ],
  };
  expect(changedPlaces(before, after)).toEqual(['name', 'steps.hi.text', 'steps.new']);
  expect(changedPlaces(before, before)).toEqual([]);
  expect(changedPlaces({}, { steps: 7 })).toEqual(expect.any(Array));
});

test('an author has a row at most once a minute, and no place is lost', () => {
  const first = addSave({}, { author: 'a', places: ['x'], now: at(0) });
  expect(first.recorded).toEqual(['x']);
  const second = addSave(first.saves, { author: 'a', places: ['y'], now: at(30) });
  const other = addSave(second.saves, { author: 'b', places: ['z'], now: at(40) });
  const third = addSave(other.saves, { author: 'a', places: ['z', 'y'], now: at(60) });
  expect([second.recorded, other.recorded, third.recorded]).toEqual([undefined, ['z'], ['y', 'z']]);
});

test('many places become those around them', () => {
  const places = Array.from({ length: 30 }, (_, index) => `steps.${index % 3}.${index}`);
  expect(addSave({}, { author: 'a', places, now: at(0) }).recorded).toEqual([
    'steps.0',
    'steps.1',
    'steps.2',
  ]);
  const steps = Array.from({ length: 30 }, (_, index) => `steps.${index}`);
  expect(addSave({}, { author: 'a', places: steps, now: at(0) }).recorded).toEqual(['steps']);
});
