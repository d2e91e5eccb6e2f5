import { typedOnALine } from '../fields/typed.tsx';

export const email = typedOnALine('emailLabel', {
  type: 'email',
  autocomplete: 'email',
  inputMode: 'email',
  placeholder: 'name@example.com',
  maxLength: 320,
});
