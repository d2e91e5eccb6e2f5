import { accepts, explains, refuses, takes } from '../../../tests/answers.ts';

accepts([
  [{ type: 'phone' }, '0046 (0)8-123 45', '+46812345'],
  [{ type: 'phone' }, '(020) 7946.0000', '02079460000'],
  [{ type: 'phone' }, '\u202a+٤٤ (٠)٢٠ ٧٩٤٦\u202c', '+44207946'],
]);

refuses([
  [{ type: 'phone' }, '1234', 'not-a-phone'],
  [{ type: 'phone' }, 'call me', 'not-a-phone'],
]);

takes([
  [{ type: 'phone' }, '+49 30\u2212123\u221245', '+493012345'],
  [{ type: 'phone' }, '０３ー１２３４ー５６７８', '0312345678'],
  [{ type: 'phone' }, '＋４９（０）３０\u2009１２３４５', '+493012345'],
]);

explains([[{ type: 'phone' }, '１２', '+44 20 7946 0000']]);
