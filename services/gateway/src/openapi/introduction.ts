import { bodyBytesMax, publicBodyBytesMax } from '../body.ts';
import type { Config } from '../config.ts';
import { headerBytesMax } from '../http-server.ts';
import { depthMax } from '../json.ts';

/** What a deployment limits. */
export type Limits = Config['limits'];

/** What holds for all operations, in Markdown. */
export function introduction(limits: Limits): string {
  return `Every answer is an envelope, \`{success, code, detail, data, meta}\`, and its HTTP status is \`code\`: 200 for every success. An
error has a \`type\` for programs, \`requestId\`, and where the request is not valid \`errors\`: every fault at once, each with a JSON pointer.
What is no route is 404 (\`unknown-route\`); a method that a route does not have is 405 (\`method-not-allowed\`) with \`Allow\`. HEAD
answers like GET, without the body.

**Credentials.** \`/v1\` takes an API key and its secret as HTTP Basic; \`/public/v1\`, for browsers, a session token as Bearer. A workspace
that the key cannot access is answered as one that does not exist.

**Limits.** A key may make ${limits.callsPerSecond} calls a second, with bursts of ${limits.callsBurst}. For one customer, and by one
link, ${limits.sessionsPerMinute} sessions may be begun a minute. A session may ask ${limits.pendingPerMinute} times a minute for what is pending, post ${limits.messagesPerMinute} messages and get or
start talks ${limits.conversationCallsPerMinute} times. Every answer to a counted call, and every 429, has \`RateLimit\` and \`RateLimit-Policy\`, and 429 has \`Retry-After\` besides; who has
waited so long and made no other call is let in. ${limits.authFailuresPerMinute} authentications, customer tokens and links a minute may fail per address
(IPv6: per /64), and as many authentications per key; valid ones are never refused because of these. Pages may call about
${limits.workspaceLookupsPerMinute} workspaces a minute from one address that were not called about lately. Bodies are JSON in UTF-8 of at most ${bodyBytesMax / 1024} KiB, below \`/public\`
${publicBodyBytesMax / 1024} KiB, nested at most ${depthMax} deep, header fields ${headerBytesMax / 1024} KiB in all. Lengths are counted in code points. Texts are well-formed Unicode without U+0000. Fields
that are not known are refused; query parameters that are not known are ignored.

**Repeating a call.** A POST that creates takes an \`Idempotency-Key\`: the same call again gets the stored answer. Every other call
may be repeated as it is, but those with \`x-repeatable: false\`: each rotation makes another secret.

**Conditional requests.** Every answer to a GET has an \`ETag\`, for \`If-None-Match\` (304 while it is the same) and \`If-Match\` (412
when it is another). A tag of an answer that showed one row may be given with PATCH and DELETE of that row, where its version counts (the
interactions that a customer is shown with are not part of it). With \`If-Match\`: 412 when the row has changed since, or the tag is not
one that it was shown with. With \`If-None-Match\`: 412 when it has not changed since, and for \`*\`. What a session reads no cache may store
(\`Cache-Control: no-store\`); a program that holds it may ask with its tag all the same.`;
}
