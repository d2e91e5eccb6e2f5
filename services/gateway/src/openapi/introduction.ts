import { hidden } from '@parley/contracts/hidden';
import { scopes } from '@parley/contracts/scopes';
import { personalDataScope } from '../values/reader.ts';
import { bodyBytesMax, publicBodyBytesMax, publicBodyValuesMax } from '../http/request/body.ts';
import type { Config } from '../config.ts';
import { itemsPerCall } from '../limits/rate-limit.ts';
import { headerBytesMax } from '../http/server/http-server.ts';
import { heldBytesMax } from '../http/request/held-bytes.ts';
import { depthMax, jsonValuesMax } from '@parley/runtime/json/json';

export type Limits = Config['limits'];

/** Returns the rules of all operations: sections of Markdown, each with a heading of level 2. */
export function introduction(limits: Limits): string {
  return `${answers}\n\n${credentials}\n\n${limitsOf(limits)}\n\n${etags}\n\n${idempotency}`;
}

const answers = `## Answers

Every answer is an envelope, \`{success, code, detail, data, meta}\`. \`code\` is the HTTP status: 200 for every
success. \`data\` is the result. \`meta\` describes the page of a list and is null elsewhere.

Numbered pages show the list as it is at each call, in a fixed order. While you read them, a new row moves rows of a
list that is newest first to the next page, where they come again: skip ids that you have had. A row that leaves the
list moves others to the page before, where you miss them. Lists with a \`cursor\` do neither, nor does the export.
A cursor continues its own list, with the same filters and a page of any size. For another list, workspace or filter,
and for a text of another form, the error is \`invalid-cursor\`.

An error also has a \`type\` for programs and a \`requestId\` for support. An invalid request also has \`errors\`: every
fault at once, each with a JSON pointer. The types are listed under [Errors](#errors).

An unknown path is 404 (\`unknown-route\`). An unknown method is 405 (\`method-not-allowed\`) with \`Allow\`. HEAD
answers like GET, without the body.`;

const credentials = `## Credentials

- \`/v1\` takes an API key and its secret as HTTP Basic. Keep both on your servers.
- \`/public/v1\`, for browsers, takes a session token as Bearer.

A workspace that the key cannot access is answered like one that does not exist.

A key has scopes. A call for which it lacks the scope gets 403 (\`missing-scope\`), and \`errors\` names the scope. A
scope never includes another one. Keys that are created without scopes by the command line have all of them. Without
\`${personalDataScope}\`, answers have \`${hidden}\` in place of personal data, and filters by personal data are 403.

| Scope | Allows |
|---|---|
${Object.entries(scopes)
  .map(([name, allows]) => `| \`${name}\` | ${allows} |`)
  .join('\n')}`;

function limitsOf(limits: Limits): string {
  return `## Limits

| Caller | What | How often |
|---|---|---|
| API key, person, all portal links of a workspace together | calls | ${limits.callsPerSecond} per second, bursts of ${limits.callsBurst} |
| customer, link | new sessions | ${limits.sessionsPerMinute} per minute |
| session | reads of \`pending\` | ${limits.pendingPerMinute} per minute |
| session | messages | ${limits.messagesPerMinute} per minute |
| session | other calls of a conversation | ${limits.conversationCallsPerMinute} per minute |
| address (IPv6: /64), API key | failed authentications | ${limits.authFailuresPerMinute} per minute |
| address | calls about workspaces not seen lately | ${limits.workspaceLookupsPerMinute} workspaces per minute |
| address | sign-ins of people that begin | ${limits.signInsPerMinute} per minute |
| address (IPv6: /64) | presses of the button of open links | ${limits.startsPerAddressPerMinute} in any minute |
| open link | conversations that begin | ${limits.startsPerLinkPerMinute} in any minute |

Each gateway counts for itself. Every answer to a counted call has \`RateLimit\` and \`RateLimit-Policy\`. A 429 also has \`Retry-After\`: a caller that
waits so long and makes no other call is accepted. Failed credentials never cause valid ones to be rejected.

A caller has at most ${heldBytesMax / 1024 / 1024} MiB of bodies in upload and of unread answers. Beyond that, its calls
get 429 until it has read its answers.

Bodies are JSON in UTF-8 of at most ${bodyBytesMax / 1024} KiB, below \`/public\` ${publicBodyBytesMax / 1024} KiB.
They have at most ${jsonValuesMax} values, below \`/public\` ${publicBodyValuesMax}, counting every member and element,
and are nested at most ${depthMax} deep. A bulk call has its own limits, and every ${itemsPerCall} of its items count as a
call. Header fields are at most ${headerBytesMax / 1024} KiB in all. Lengths are counted in code points. Texts are
well-formed Unicode without U+0000. Unknown fields and query parameters are rejected, and the fault names the known
ones.`;
}

const etags = `## ETags

Every answer to a GET has an \`ETag\`.

- \`If-None-Match\` with GET: 304 without a body while the answer is the same.
- \`If-Match\` with PUT, PATCH or DELETE: 412 if the row has changed since. Send the tag of any answer that showed this
  one row. Only the row's version counts, not the interactions of a customer.
- \`If-Match\` with GET: 412 when the answer has changed.
- PUT needs \`If-Match\`, or \`If-None-Match: *\` if there is nothing to replace yet: 428 without both.
- \`If-None-Match\` with PATCH or DELETE is rejected (400).

No cache may store what a session reads, of a customer or of a person (\`Cache-Control: no-store\`). A program may still
send its tag.`;

const idempotency = `## Idempotency

A POST that creates takes an \`Idempotency-Key\`, any text of yours. The same call with the same key within 24 hours
gets the stored answer and has no effect of its own. A request that was rejected before it had an effect does not use
the key.

Every other call may be repeated unchanged, except those with \`x-repeatable: false\`: each rotation creates another
secret, and each retry of a delivery can send it.

A PATCH whose answer was lost may have had its effect. Repeated, it can then get a 409 or 412 because of its own first
attempt. Read the resource before you report a conflict.`;
