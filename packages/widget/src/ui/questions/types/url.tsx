import { typedOnALine } from '../fields/typed.tsx';

export const url = typedOnALine('urlLabel', {
  autocomplete: 'url',
  inputMode: 'url',
  placeholder: 'https://example.com',
  maxLength: 2048,
});
