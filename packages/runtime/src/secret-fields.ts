/** Names under which a secret could come into a log line. */
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

/** The fields with `[redacted]` in place of secrets, which are known by their names, down to the third level. */
export function withoutSecrets<Fields extends object>(fields: Fields): Fields {
  return redacted(fields, depthMax) as Fields;
}

// Most lines hold none: these are not copied. An error is left to its serializer.
function redacted(fields: object, depth: number): object {
  const changes: [string, unknown][] = [];
  for (const [name, value] of Object.entries(fields)) {
    if (secretNames.has(name)) changes.push([name, '[redacted]']);
    else if (depth > 1 && typeof value === 'object' && value !== null && !(value instanceof Error)) {
      const inner = redacted(value as object, depth - 1);
      if (inner !== value) changes.push([name, inner]);
    }
  }
  if (changes.length === 0) return fields;
  return Object.assign(Array.isArray(fields) ? [...fields] : { ...fields }, Object.fromEntries(changes));
}
