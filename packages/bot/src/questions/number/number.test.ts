import { accepts, explains, reads, refuses, takes } from '../../../tests/answers.ts';

reads([
  [{ type: 'number' }, '1,200', 1200],
  [{ type: 'number' }, '', undefined],
]);

accepts([
  [{ type: 'number' }, 2.5, 2.5],
  [{ type: 'number', integer: true, min: 3, max: 3 }, 3, 3],
]);

refuses([
  [{ type: 'number' }, '7', 'not-a-number'],
  [{ type: 'number' }, Number.NaN, 'not-a-number'],
  [{ type: 'number', integer: true }, 7.5, 'not-a-whole-number'],
  [{ type: 'number', min: 2 }, 1.9, 'too-small'],
  [{ type: 'number', max: 2 }, 2.1, 'too-large'],
  [{ type: 'number' }, 1e300, 'too-large'],
]);

takes([
  [{ type: 'number' }, '１，２００．５', 1200.5],
  [{ type: 'number' }, '१\u202f२००', 1200],
  [{ type: 'number' }, '–5', -5],
  [{ type: 'number' }, '１２。', 12],
]);

explains([
  [{ type: 'number' }, '1.200', 'Bitte antworten Sie mit einer Zahl. Beispiel: 1200'],
  [{ type: 'number', integer: true }, '2,5', 'Beispiel: 3'],
]);
