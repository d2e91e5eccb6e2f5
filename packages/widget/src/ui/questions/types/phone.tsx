import { typedOnALine } from '../fields/typed.tsx';

export const phone = typedOnALine('phoneLabel', {
  type: 'tel',
  autocomplete: 'tel',
  inputMode: 'tel',
  placeholder: '+44 20 7946 0000',
});
