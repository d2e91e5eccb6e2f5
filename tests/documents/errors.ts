import { errorTypes } from '../../services/gateway/src/openapi/error-types.ts';
import { wrapped } from './wrapped.ts';

const introduction = `# Error types

Generated from the code by \`npm run generate\`.

An error response is \`{success: false, code, detail, data: null, meta: null, type, requestId, errors?}\`.

- \`type\` is for programs. It is stable.
- \`detail\` is for people.
- \`errors\` lists at most 100 faults of the request: all that the schema shows, or if there are none, the faults that
  further rules find, such as a private address in the URL of a webhook.
- \`errors[].pointer\` is a JSON pointer: \`/email\` in the body, \`/query/pageSize\` in the query,
  \`/headers/idempotency-key\` in the header fields.
- For a body that is not JSON, the pointer is empty and the text names the position:
  \`Line 1, column 7: The JSON ends too early.\`, or \`Is not UTF-8\`.
`;

export function errorsDocument(): string {
  const items = Object.entries(errorTypes).flatMap(([type, { code, when }]) =>
    wrapped(`- ${code} \`${type}\`: ${when}`),
  );
  return `${introduction}\n${items.join('\n')}\n`;
}
