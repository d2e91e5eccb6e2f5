import { accepts, reads, readsIn, refuses, takes } from '../../../tests/answers.ts';
import type { InputRule } from '../types.ts';

const yesNo: InputRule = { type: 'yesNo', labels: { yes: 'Yes, please', no: 'Rather not' } };
const swapped = (yes: string, no: string): InputRule => ({ type: 'yesNo', labels: { yes, no } });

reads([
  [{ type: 'yesNo' }, 'YES!', true],
  [{ type: 'yesNo' }, 'n', false],
  [{ type: 'yesNo' }, 'maybe', undefined],
  [yesNo, 'yes please', true],
  [yesNo, 'rather not.', false],
  [yesNo, 'no', false],
]);

accepts([[{ type: 'yesNo' }, false, false]]);

refuses([[{ type: 'yesNo' }, 'yes', 'not-yes-or-no']]);

takes([
  [{ type: 'yesNo' }, 'ｙｅｓ！', true],
  [{ type: 'yesNo', labels: { yes: 'はい', no: 'いいえ' } }, 'いいえ。', false],
]);

readsIn([
  [swapped('No', 'Yes'), 'en', 'no', true],
  [swapped('No problem', 'Yes, I have one'), 'en', 'yes', undefined],
  [swapped('No problem', 'Yes, I have one'), 'en', 'nope', undefined],
  [swapped('No problem', 'Never'), 'en', 'yes', true],
]);
