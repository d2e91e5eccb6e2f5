import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { wrapped } from './wrapped.ts';

const root = resolve(import.meta.dirname, '../..');

/** A bound: what it limits, the file that declares it, and its name there, with a property if it has one. */
type Bound = readonly [what: string, file: string, name: string];

const contracts = 'packages/contracts/src/limits.ts';
const body = 'services/gateway/src/http/request/body.ts';
const botFormat = 'packages/bot/src/definition/format.ts';
const conversationSize = 'packages/bot/src/plan/conversation-size.ts';
const cleanText = 'packages/bot/src/text/clean-text.ts';
const writtenText = 'packages/bot/src/questions/parts/written-text.ts';

const sections: readonly (readonly [title: string, bounds: readonly Bound[]])[] = [
  [
    'Requests',
    [
      ['Body under an API key', body, 'bodyBytesMax'],
      ['Body under `/public`', body, 'publicBodyBytesMax'],
      ['Items of a bulk call', contracts, 'bulkLimits.itemsMax'],
      ['Body of a bulk call', contracts, 'bulkLimits.bodyBytesMax'],
      ['JSON values of a body of a bulk call', contracts, 'bulkLimits.bodyValuesMax'],
      [
        'Items of a bulk call that count as a call',
        'services/gateway/src/limits/rate-limit.ts',
        'itemsPerCall',
      ],
      ['Faults in a bulk answer', 'services/gateway/src/api/interactions/bulk-routes.ts', 'bulkFaultsMax'],
      ['Answers in a block for an e-mail', 'packages/bot/src/email/one-click.ts', 'oneClickMax'],
      ['JSON values of a body under an API key', 'packages/runtime/src/json/json.ts', 'jsonValuesMax'],
      ['JSON values of a body under `/public`', body, 'publicBodyValuesMax'],
      ['Levels of JSON', 'packages/runtime/src/json/json.ts', 'depthMax'],
      ['Header fields of a request', 'services/gateway/src/http/server/http-server.ts', 'headerBytesMax'],
      [
        'Requests that wait on a connection',
        'services/gateway/src/http/server/http-server.ts',
        'pipelinedMax',
      ],
      ['Faults in an answer', 'packages/runtime/src/zod-faults.ts', 'faultsMax'],
      ['Bytes in transfer of a caller', 'services/gateway/src/http/request/held-bytes.ts', 'heldBytesMax'],
      ['Rows of a numbered page', contracts, 'pageSizeMax'],
    ],
  ],
  [
    'Customers and interactions',
    [
      ['Id of a customer, in characters', contracts, 'customerIdCharactersMax'],
      ['Name of a customer, in characters', contracts, 'customerLimits.nameCharactersMax'],
      ['Email of a customer, in characters', contracts, 'customerLimits.emailCharactersMax'],
      ['A value of a context', contracts, 'interactionLimits.contextValueBytesMax'],
      ['All values of a context', contracts, 'interactionLimits.contextBytesMax'],
      [
        'Conversations that a bulk call begins',
        'services/interaction/src/creating/preparing.ts',
        'startedBytesMax',
      ],
      ['Expiry of an interaction, in seconds', contracts, 'interactionLimits.expirySecondsMax'],
      ['Long poll, in seconds', contracts, 'interactionLimits.waitSecondsMax'],
      ['Filters by an evaluation', contracts, 'interactionLimits.evaluationFiltersMax'],
      [
        'A filter by an evaluation, in characters',
        contracts,
        'interactionLimits.evaluationFilterCharactersMax',
      ],
      ['A search for customers, in characters, at least', contracts, 'customerLimits.searchCharactersMin'],
      ['A search for customers, in characters', contracts, 'customerLimits.searchCharactersMax'],
      ['Rows of a page of audit events', contracts, 'auditLimits.pageSizeMax'],
      ['A filter of audit events, in characters', contracts, 'auditLimits.filterCharactersMax'],
      [
        'Columns of an export as CSV',
        'services/interaction/src/bots/evaluation-keys.ts',
        'evaluationKeysMax',
      ],
      [
        'Interactions that a page of an export looks at',
        'services/interaction/src/exporting/export-store.ts',
        'scannedMax',
      ],
      [
        'Wait of an export for transactions, in milliseconds',
        'services/gateway/src/api/interactions/export-routes.ts',
        'settlingMsMax',
      ],
    ],
  ],
  [
    'Conversations',
    [
      ['A conversation', conversationSize, 'conversationBytesMax'],
      ['An entry of a conversation', conversationSize, 'entryBytesMax'],
      ['An answer, in characters', cleanText, 'bodyCharsMax'],
      [
        'Work of a turn, in units of about a nanosecond',
        'packages/bot/src/bounds/turn-budget.ts',
        'turnUnitsMax',
      ],
      ['Steps between two questions', 'packages/bot/src/bounds/turn-budget.ts', 'stepsPerTurnMax'],
      ['Ways between steps of a conversation', 'packages/bot/src/engine/ways.ts', 'waysMax'],
    ],
  ],
  [
    'Bots',
    [
      ['Bots of a workspace', 'services/interaction/src/bots/store.ts', 'botsPerWorkspaceMax'],
      ['Versions of a bot', 'services/interaction/src/bots/store.ts', 'versionsPerBotMax'],
      ['Fields of a definition', 'services/gateway/src/api/bots/routes.ts', 'definitionFieldsMax'],
      ['Seconds without a renewal until a presence ends', contracts, 'presenceLimits.secondsKept'],
      ['Presences of a person in a bot', contracts, 'presenceLimits.tabsPerPersonMax'],
      ['Presences in a list', contracts, 'presenceLimits.listedMax'],
      ['Open links of a bot', contracts, 'openLinkLimits.perBotMax'],
      ['Rows of a page of open links', contracts, 'openLinkLimits.pageSizeMax'],
      ['Name of an open link, in characters', contracts, 'openLinkLimits.nameCharactersMax'],
      ['Context keys of an open link', contracts, 'openLinkLimits.contextKeysMax'],
      ['Responses of an open link', contracts, 'openLinkLimits.responsesMax'],
      ['Starts of open links per minute, by address', contracts, 'openLinkLimits.startsPerAddressMax'],
      ['Starts of an open link per minute', contracts, 'openLinkLimits.startsPerLinkMax'],
      ['Days in which a browser continues', contracts, 'openLinkLimits.continuedDays'],
      ['Characters of the id of a visit', contracts, 'openLinkLimits.visitCharactersMax'],
      ['Anonymous customers in a page of a deletion', contracts, 'openLinkLimits.deletedAtOnceMax'],
      ['Name of a bot, in characters', botFormat, 'botNameCharactersMax'],
      ['File of another product', 'packages/bot-import/src/import.ts', 'importBytesMax'],
      ['Items of a list', botFormat, 'itemsMax'],
      ['Members of a map', botFormat, 'membersMax'],
      ['Patterns', writtenText, 'patternsMax'],
      ['Size of a pattern, in instructions', writtenText, 'patternSizeMax'],
      ['Size of a pattern times characters of its answer', writtenText, 'patternWorkMax'],
    ],
  ],
  [
    'Webhooks',
    [
      ['End of a portal link, in seconds', contracts, 'portalLimits.expiresInSecondsMax'],
      ['Portal links of a workspace that are not over', contracts, 'portalLimits.perWorkspaceMax'],
      ['Webhooks of a portal link', contracts, 'portalLimits.webhookIdsMax'],
      ['Name of a portal link, in characters', contracts, 'portalLimits.nameCharactersMax'],
      ['Rows of a page of portal links', contracts, 'portalLimits.pageSizeMax'],
      ['Filter of events, in characters', contracts, 'webhookLimits.filterCharactersMax'],
      ['Secret token, in characters', contracts, 'webhookLimits.secretTokenCharactersMax'],
      [
        'Kept changes of events, filter and envelope',
        'services/webhook/src/subscriptions/subscription-store.ts',
        'subscriptionChangesMax',
      ],
      ['Header fields of a delivery', contracts, 'webhookLimits.headerFieldsMax'],
      [
        'Signing secrets that are valid at once',
        'services/webhook/src/sending/rules/signing.ts',
        'signingSecretsMax',
      ],
      ['Overlap of signing secrets, in seconds', contracts, 'webhookLimits.overlapSecondsMax'],
      ['Stored answer of a receiver', 'services/webhook/src/sending/rules/excerpt.ts', 'excerptBytesMax'],
      ['Running recoveries', 'services/webhook/src/controls/recovery-store.ts', 'recoveriesPerWorkspaceMax'],
      ['Rows of a page of deliveries', contracts, 'webhookLimits.deliveriesMax'],
      ['Days that deliveries are kept', contracts, 'webhookLimits.daysKept'],
      [
        'Days of failure before a webhook is inactive',
        'services/webhook/src/scheduling/attempts/failing.ts',
        'failingDaysMax',
      ],
    ],
  ],
  [
    'People',
    [
      ['Rows of a page of members', contracts, 'memberLimits.pageSizeMax'],
      ['API keys of a workspace', contracts, 'keyLimits.perWorkspaceMax'],
      ['Members and invitations of a workspace', contracts, 'memberLimits.perWorkspaceMax'],
      ['Workspaces of a person', contracts, 'memberLimits.workspacesPerPersonMax'],
      ['A link of the operator is valid, in seconds', contracts, 'memberLimits.consoleLinkSecondsMax'],
      ['An invitation is valid, in seconds', contracts, 'memberLimits.invitationSecondsMax'],
      ['A session without a call, in seconds', contracts, 'memberLimits.sessionIdleSecondsMax'],
      ['A session, in seconds', contracts, 'memberLimits.sessionSecondsMax'],
      ['A sign-in at the provider, in seconds', contracts, 'memberLimits.signInSecondsMax'],
    ],
  ],
  [
    'Shares of a workspace',
    [
      ['Waiting work of one class', 'packages/runtime/src/scheduling/fair-queue.ts', 'waitingPerTenantMax'],
      ['Time that work waits', 'packages/runtime/src/scheduling/fair-queue.ts', 'waitMsMax'],
      ['Scans that wait', 'packages/postgres/src/connecting/connections.ts', 'waitingScansMax'],
      ['Time to open a connection', 'packages/postgres/src/connecting/client.ts', 'connectMsMax'],
      ['Time of a statement', 'packages/postgres/src/connecting/connection.ts', 'statementMsMax'],
      ['Lists that begin at once', 'services/gateway/src/http/answer/long-list.ts', 'listsAtOnceMax'],
      ['Exports at once', 'services/gateway/src/limits/exports.ts', 'exportsAtOnceMax'],
      [
        'Pause of a reader of an export, in milliseconds',
        'services/gateway/src/http/answer/stream.ts',
        'streamIdleMsMax',
      ],
      ['Further parts of lists at once', 'services/gateway/src/http/answer/long-list.ts', 'partsAtOnceMax'],
      ['Checks of suspect credentials at once', 'services/gateway/src/auth/suspects.ts', 'suspectChecksMax'],
      ['Workspaces of a key', 'services/identity/src/admin-handlers.ts', 'workspacesPerKeyMax'],
    ],
  ],
];

/** Bounds of the processes, which no client meets. */
const internal = new Set([
  'caseGrowthMax',
  'changeAttemptsMax',
  'connectionMax',
  'choicesMax',
  'contextBytesMax',
  'contextValueBytesMax',
  'detailCharactersMax',
  'eventsMax',
  'expressionCharsMax',
  'failingMsMax',
  'grpcMessageBytesMax',
  'labelCharactersMax',
  'labelCharsMax',
  'messageBytesMax',
  'namedValuesMax',
  'pageMax',
  'pagesAtOnceMax',
  'readyMsMax',
  'replyCharsMax',
  'retryAfterMsMax',
  'rowsAtOnceMax',
  'scannedMax',
  'summaryCharsMax',
  'textCharactersMax',
  'textCharsMax',
  'shareEventsMax',
  'typedCharsMax',
]);

/** Returns the names of exported constants that end in `Max` and that neither the document nor `internal` has. */
export function unlistedBounds(): string[] {
  const listed = new Set(sections.flatMap(([, bounds]) => bounds.map(([, file, name]) => `${file} ${name}`)));
  const files = globSync(['packages/*/src/**/*.ts', 'services/*/src/**/*.ts'], { cwd: root });
  return files.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/^export const (\w+Max)\b/gm)]
      .map(([, name = '']) => name)
      // `bodyBytesMax` of the calls between services is internal too.
      .filter((name) => !listed.has(`${file} ${name}`) && !internal.has(name) && !file.includes('/rpc/'))
      .map((name) => `${file} ${name}`),
  );
}

/** Returns docs/limits.md, made of the constants and their docstrings. */
export async function limitsDocument(): Promise<string> {
  const parts = [introduction];
  for (const [title, bounds] of sections) {
    const entries = await Promise.all(bounds.map(entryOf));
    parts.push([`## ${title}`, '', ...entries.flatMap(wrapped)].join('\n'));
  }
  return `${parts.join('\n\n')}\n`;
}

const introduction = `# Limits

Generated from the code by \`npm run generate\`. Each entry has the bound and its reason.

A request beyond a bound gets 400, 409 or 413 with the bound, and has no effect. Too many calls get 429 with
\`Retry-After\`: the rate limits are settings, and \`x-limits\` of the OpenAPI document has their values. Work that waits
too long behind other work of its workspace gets 429 \`workspace-busy\`
([decision 22](decisions/0022-a-share-per-workspace.md)). [Errors](errors.md) lists all types.`;

async function entryOf([what, file, name]: Bound): Promise<string> {
  const module = (await import(join(root, file))) as Record<string, unknown>;
  const value = name
    .split('.')
    .reduce<unknown>((from, key) => (from as Record<string, unknown>)[key], module);
  if (typeof value !== 'number') throw new Error(`${file} has no number ${name}`);
  return `- **${what}**: ${shown(name, value)}. ${reasonOf(file, name)} (\`${file}\`)`;
}

function shown(name: string, value: number): string {
  if (/Bytes/.test(name)) return value >= 1024 ** 2 ? `${value / 1024 ** 2} MiB` : `${value / 1024} KiB`;
  return /Ms/.test(name) ? `${value / 1_000} s` : value.toLocaleString('en');
}

/** Returns the docstring of a constant, or the comment of a property of an exported object. */
function reasonOf(file: string, name: string): string {
  const source = readFileSync(join(root, file), 'utf8');
  const [object = '', property] = name.split('.');
  const start = property ? source.indexOf(`export const ${object} `) : 0;
  const declared = property ? `\\n  ${property}:` : `\\nexport const ${object}\\b`;
  const comment = new RegExp(`/\\*\\*((?:(?!\\*/)[\\s\\S])*)\\*/${declared}`).exec(source.slice(start))?.[1];
  if (comment === undefined) throw new Error(`${name} of ${file} has no docstring`);
  return comment.replace(/^ *\*/gm, ' ').replace(/\s+/g, ' ').trim();
}
