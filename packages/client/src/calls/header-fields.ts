import { headerNames, type HeaderOptions } from '../gen/headers.ts';
import { type AnyOptions, callNames, checkNames } from './call.ts';
import type { Credential, Operation } from './request.ts';

/** Returns the header fields of the options of a call. Throws a TypeError for an unknown or empty option. */
export function headerFieldsOf({ method }: Operation, options: AnyOptions): Credential {
  checkNames(options, [...callNames, ...Object.keys(headerNames)]);
  const fields: Credential = {};
  for (const [option, name] of Object.entries(headerNames)) {
    const value = options[option as keyof HeaderOptions];
    if (value === '') throw new TypeError(`${option} must not be empty`);
    if (value !== undefined) fields[name] = value;
  }
  const isConditional = 'if-match' in fields || new Headers(options.headers).has('if-match');
  // Without an ETag, a PUT creates.
  return method === 'PUT' && !isConditional ? { 'if-none-match': '*', ...fields } : fields;
}
