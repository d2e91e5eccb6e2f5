import { expect, test } from 'vitest';
import { reminders } from './reminders.ts';

const at = (...seconds: number[]) => seconds.map((afterSeconds) => ({ afterSeconds }));

test('up to three reminders, an hour to 180 days after, each later than the one before', () => {
  for (const valid of [at(), at(3_600), at(3_600, 3_601, 15_552_000)]) {
    expect(reminders.safeParse(valid).success).toBe(true);
  }
  const faulty = [
    at(3_599),
    at(15_552_001),
    at(7_200, 3_600),
    at(3_600, 3_600),
    at(3_600, 3_601, 3_602, 3_603),
  ];
  for (const invalid of [...faulty, [{ afterSeconds: 3_600.5 }], [{}], [{ afterSeconds: 3_600, max: 2 }]]) {
    expect(reminders.safeParse(invalid).success).toBe(false);
  }
});
