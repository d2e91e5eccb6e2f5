/** Names of fields that can contain secrets in a log line. */
const secretNames = new Set([
  'apiSecret',
  'secret',
  'secretToken',
  'signingSecret',
  'authorization',
  'token',
  'customerToken',
  'sessionToken',
  'password',
]);

const depthMax = 3;

/**
 * Returns the fields with `[redacted]` in place of secrets, which are found by name, down to the third level.
 */
export function withoutSecrets<Fields extends object>(fields: Fields): Fields {
  return redacted(fields, depthMax) as Fields;
}

// Most lines contain none and are not copied. Errors are left to their serializer.
function redacted(fields: object, depth: number): object {
  let changed: Record<string, unknown> | undefined;
  const change = (name: string, value: unknown): void => {
    changed ??= (Array.isArray(fields) ? [...fields] : { ...fields }) as Record<string, unknown>;
    changed[name] = value;
  };
  for (const name of Object.keys(fields)) {
    const value = (fields as Record<string, unknown>)[name];
    if (secretNames.has(name)) change(name, '[redacted]');
    else if (depth > 1 && typeof value === 'object' && value !== null && !(value instanceof Error)) {
      const inner = redacted(value, depth - 1);
      if (inner !== value) change(name, inner);
    }
  }
  return changed ?? fields;
}
