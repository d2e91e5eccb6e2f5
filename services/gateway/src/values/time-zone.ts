import { z } from 'zod';

/** The longest name of a time zone has about 30. */
const charactersMax = 64;

const form = /^[A-Za-z][\w+/-]*$/;

/** The schema of a time zone: a name of the IANA database. Offsets such as `+02:00` have no name there. */
export const timeZone = z
  .string()
  .refine(isTimeZone, { error: 'Must be an IANA time zone, such as UTC or Europe/Berlin' })
  .meta({ pattern: form.source, examples: ['Europe/Berlin'] });

function isTimeZone(name: string): boolean {
  if (name.length > charactersMax || !form.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) instanceof Intl.DateTimeFormat;
  } catch {
    return false;
  }
}
