import { accepts, refuses, takes } from '../../../tests/answers.ts';

accepts([
  [{ type: 'text' }, '  two\nlines\u0000 ', 'two lines'],
  [{ type: 'text' }, 'half a pair \ud800', 'half a pair \ufffd'],
  [{ type: 'text', pattern: '[A-Z]{2}\\d+' }, 'AB12', 'AB12'],
]);

refuses([
  [{ type: 'text' }, ' \n ', 'empty'],
  [{ type: 'text' }, '\u200b', 'empty'],
  [{ type: 'text' }, 5, 'not-a-text'],
  [{ type: 'text', minLength: 3 }, 'ab', 'too-short'],
  [{ type: 'text', maxLength: 3 }, 'abcd', 'too-long'],
  [{ type: 'text' }, 'x'.repeat(501), 'too-long'],
  [{ type: 'text', pattern: '[A-Z]+' }, 'ABc', 'wrong-format'],
]);

takes([
  [{ type: 'text', pattern: '[A-Z]{2}\\d+' }, 'ＡＢ１２', 'AB12'],
  [{ type: 'text' }, 'ＡＢ“１２”', 'ＡＢ“１２”'],
]);
