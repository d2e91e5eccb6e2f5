import { Ajv2020, type AnySchema, type ErrorObject } from 'ajv/dist/2020.js';

/** Returns a function for the faults of a value by a JSON Schema (draft 2020-12); null without faults. */
export function faultsBy(schema: AnySchema): (value: unknown) => ErrorObject[] | null {
  const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(schema);
  return (value) => (validate(value) ? null : (validate.errors ?? []));
}
