import { accepts, explains, reads, refuses, takes } from '../../../tests/answers.ts';

reads([
  [{ type: 'nps' }, ' 9 ', 9],
  [{ type: 'nps' }, '９', 9],
  [{ type: 'nps' }, 'nine', undefined],
  [{ type: 'nps' }, '٩', 9],
]);

accepts([
  [{ type: 'nps' }, 0, 0],
  [{ type: 'nps' }, -0, 0],
  [{ type: 'nps' }, 10, 10],
]);

refuses([
  [{ type: 'nps' }, 11, 'not-on-the-scale'],
  [{ type: 'nps' }, -1, 'not-on-the-scale'],
  [{ type: 'nps' }, 7.5, 'not-on-the-scale'],
  [{ type: 'nps' }, '7', 'not-on-the-scale'],
]);

takes([[{ type: 'nps' }, '９。', 9]]);

explains([[{ type: 'nps' }, '1.200', 'von 0 bis 10']]);
