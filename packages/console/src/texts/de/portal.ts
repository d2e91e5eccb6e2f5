import type { Texts } from '../texts.tsx';

export const portal: Texts['portal'] = {
  over: 'Dieser Link gilt nicht mehr',
  overHow: 'Bitten Sie die Absender um einen neuen.',
  overWhy:
    'Ein Link öffnet diese Seite einmal, in einem Browser und für begrenzte Zeit. Er kann auch widerrufen werden.',
};
