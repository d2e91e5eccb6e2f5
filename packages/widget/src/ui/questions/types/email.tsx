import { typedOnALine } from '../fields/typed.tsx';

/** An e-mail address. */
export const email = typedOnALine('emailLabel', {
  type: 'email',
  autocomplete: 'email',
  inputMode: 'email',
  placeholder: 'name@example.com',
  maxLength: 320,
});
