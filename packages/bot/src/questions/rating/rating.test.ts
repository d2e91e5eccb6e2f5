import { accepts, reads, refuses, takes } from '../../../tests/answers.ts';

reads([[{ type: 'rating' }, '४', 4]]);

accepts([
  [{ type: 'rating' }, 5, 5],
  [{ type: 'rating', max: 7 }, 7, 7],
]);

refuses([
  [{ type: 'rating' }, 0, 'not-on-the-scale'],
  [{ type: 'rating' }, 6, 'not-on-the-scale'],
]);

takes([[{ type: 'rating' }, '\u200e٤', 4]]);
