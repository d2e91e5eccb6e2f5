import { canonicalText } from '@parley/bot/canonical';
import { changesBetween, type ValueChange } from '@parley/bot/changes';
import { type BotDiff, diffBots } from '@parley/bot/diff';
import type { Branding, ContactPolicy, Retention, Webhook, WebhookOptions } from '@parley/client';
import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { BotFile } from '../files/bot-file.ts';
import type { Desired } from './read-folder.ts';
import type { BrandingSettings, Described } from './settings-file.ts';
import type { WebhookSettings } from './settings.ts';

/** What the workspace has of what the files describe. */
export interface Present {
  allowedDomains?: string[];
  branding?: Branding;
  retention?: Retention;
  contactPolicy?: ContactPolicy;
  /** All of the workspace. Only those that the files describe have options. */
  webhooks?: (Webhook & { options?: WebhookOptions })[];
  /** By key. */
  bots: ReadonlyMap<string, PresentBot>;
}

export interface PresentBot {
  id: string;
  version: number;
  digest: string;
  definition: unknown;
}

interface Common {
  /** A thing of the kind: the URL of a webhook, the key of a bot, else the kind itself. */
  name: string;
  /** Each field that differs. A secret has only the name of its variable. */
  fields: ValueChange[];
}

/** One thing that is different in the workspace than in the files. */
export type Change = Common &
  (
    | { kind: 'allowedDomains'; action: 'update'; from: Described<string[]> }
    | { kind: 'branding'; action: 'update'; from: Described<BrandingSettings> }
    | { kind: 'retention'; action: 'update'; from: Described<NonNullable<RetentionOf>> }
    | { kind: 'contactPolicy'; action: 'update'; from: NonNullable<Desired['contactPolicy']> }
    | { kind: 'webhook'; action: 'create'; from: Described<WebhookSettings> }
    | { kind: 'webhook'; action: 'update'; from: Described<WebhookSettings>; id: string }
    | { kind: 'webhook'; action: 'delete'; id: string }
    | { kind: 'bot'; action: 'create'; from: BotFile }
    | { kind: 'bot'; action: 'update'; from: BotFile; id: string; version: number; diff: BotDiff }
  );

type RetentionOf = NonNullable<Desired['retention']>['value'];

export interface Plan {
  /** In the order in which they are made: what deletes comes last. */
  changes: Change[];
  /** Webhooks that no file names and that stay. */
  kept: Webhook[];
  /** How many interactions the change of the retention deletes at once. */
  deletedNow: number;
}

interface PlanOptions {
  /** Deletes the webhooks that no file names, if a file names the webhooks at all. */
  prune?: boolean | undefined;
  /** Sets all secrets again: the API does not show whether they are the same. */
  secrets?: boolean | undefined;
}

/**
 * Returns what must change so that the workspace is as the files describe it. What they do not name stays. Throws a
 * `TwinWebhooks` if a file describes a URL that several webhooks have.
 */
export function planOf(desired: Desired, present: Present, { prune, secrets }: PlanOptions = {}): Plan {
  const { allowedDomains, branding, retention, contactPolicy: policy, webhooks = [], bots } = desired;
  const urls = new Set(webhooks.map(({ value }) => value.url));
  const others = desired.webhooks ? (present.webhooks ?? []).filter(({ url }) => !urls.has(url)) : [];
  const changes = [
    ...updateOf(
      'allowedDomains',
      allowedDomains,
      domainFields(allowedDomains?.value, present.allowedDomains),
    ),
    ...updateOf('branding', branding, brandingFields(branding?.value, present.branding)),
    ...updateOf('contactPolicy', policy, fieldsBetween(present.contactPolicy, policy?.value)),
    ...webhooks.flatMap((one) => webhookChange(one, present.webhooks ?? [], secrets)),
    ...bots.flatMap((bot) => botChange(bot, present.bots)),
    ...updateOf('retention', retention, fieldsBetween(present.retention, retention?.value)),
    ...(prune ? others.map(deletionOf) : []),
  ];
  return { changes, kept: prune ? [] : others, deletedNow: 0 };
}

/** Several webhooks have a URL of the files, so that it does not identify one. */
export class TwinWebhooks extends Error {
  override readonly name = 'TwinWebhooks';
  readonly from: Described<WebhookSettings>;

  constructor(from: Described<WebhookSettings>, ids: readonly string[]) {
    super(`The workspace has ${ids.length} webhooks with this URL: ${ids.join(', ')}`);
    this.from = from;
  }
}

function updateOf<Kind extends 'allowedDomains' | 'branding' | 'retention' | 'contactPolicy'>(
  kind: Kind,
  from: Desired[Kind],
  fields: ValueChange[],
): Change[] {
  if (!from || fields.length === 0) return [];
  return [{ kind, action: 'update', name: kind, from, fields } as Change];
}

/** Compares the members of `wanted`; others stay. */
function fieldsBetween(before: object | undefined, wanted: object | undefined): ValueChange[] {
  const known = new Map<string, unknown>(Object.entries(before ?? {}));
  return Object.entries(wanted ?? {}).flatMap(([path, after]: [string, unknown]) => {
    const former = known.get(path);
    return isDeepStrictEqual(former, after) || after === undefined
      ? []
      : [{ path, ...(former !== undefined && { before: former }), after }];
  });
}

/** Their order has no meaning. */
function domainFields(wanted: string[] | undefined, before: string[] = []): ValueChange[] {
  if (!wanted || isDeepStrictEqual(wanted.toSorted(), before.toSorted())) return [];
  return [
    ...wanted.filter((one) => !before.includes(one)).map((after) => ({ path: '', after })),
    ...before.filter((one) => !wanted.includes(one)).map((former) => ({ path: '', before: former })),
  ];
}

function brandingFields(wanted: BrandingSettings | undefined, before: Branding | undefined): ValueChange[] {
  const { logo, ...rest } = wanted ?? {};
  const fields = fieldsBetween(before, rest);
  if (logo === undefined) return fields;
  const logoUrl = before?.logoUrl ?? null;
  // The name of a logo is the first half of its digest.
  const isSame = logo ? logoUrl?.includes(`/${logo.digest.slice(0, 32)}.`) : logoUrl === null;
  return isSame ? fields : [...fields, { path: 'logo', before: logoUrl, after: logo ? logo.file : null }];
}

function webhookChange(
  from: Described<WebhookSettings>,
  present: NonNullable<Present['webhooks']>,
  secrets: boolean | undefined,
): Change[] {
  const { url, secretToken, headers, ...settings } = from.value;
  const same = present.filter((one) => one.url === url);
  const [before, ...twins] = same;
  if (twins.length > 0)
    throw new TwinWebhooks(
      from,
      same.map(({ id }) => id),
    );
  const token = { path: 'secretToken', after: shown(secretToken) };
  const names = Object.entries(headers ?? {}).map(([name, field]) => {
    return { path: `headers.${name}`, after: shown(field) };
  });
  if (!before) {
    const fields = [...fieldsBetween({}, settings), token, ...names];
    return [{ kind: 'webhook', action: 'create', name: url, from, fields }];
  }
  const { headerNames = [], events = [], ...options } = before.options ?? {};
  const fields = [
    ...fieldsBetween(
      { ...options, isActive: before.isActive, events: events.toSorted() },
      { ...settings, ...(settings.events && { events: settings.events.toSorted() }) },
    ),
    ...(secrets ? [token, ...names] : headers ? headerFields(names, headerNames) : []),
  ];
  return fields.length > 0
    ? [{ kind: 'webhook', action: 'update', name: url, from, id: before.id, fields }]
    : [];
}

function headerFields(
  wanted: { path: string; after: unknown }[],
  headerNames: readonly string[],
): ValueChange[] {
  const known = new Map(headerNames.map((name) => [`headers.${name}`.toLowerCase(), `headers.${name}`]));
  const added = wanted.filter(({ path }) => !known.delete(path.toLowerCase()));
  return [...added, ...[...known.values()].map((path) => ({ path, before: '(secret)' }))];
}

function shown({ env }: { env: string }): string {
  return `(the value of ${env})`;
}

function deletionOf({ id, url, isActive, event }: Webhook): Change {
  const fields = [
    { path: 'isActive', before: isActive },
    { path: 'events', before: event.split(',') },
  ];
  return { kind: 'webhook', action: 'delete', name: url, id, fields };
}

function botChange(from: BotFile, present: Present['bots']): Change[] {
  const { definition, value } = from;
  const name = definition.key;
  const before = present.get(name);
  if (!before) {
    const fields = [
      { path: 'name', after: definition.name },
      { path: 'steps', after: definition.steps.length },
    ];
    return [{ kind: 'bot', action: 'create', name, from, fields }];
  }
  if (before.digest === hash('sha256', canonicalText(definition), 'hex')) return [];
  const { bot: fields, steps } = changesBetween(before.definition, value);
  // A version of other rules may have another digest.
  if (fields.length === 0 && steps.length === 0) return [];
  const { id, version } = before;
  const diff = diffBots(before.definition, value);
  return [{ kind: 'bot', action: 'update', name, from, id, version, fields, diff }];
}
