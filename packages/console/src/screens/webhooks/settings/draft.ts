import type {
  EventName,
  Webhook,
  WebhookOptions,
  WebhookOptionsChange,
  WebhookOrdering,
} from '@parley/client';

export interface Draft {
  url: string;
  /** Empty: it stays. */
  secretToken: string;
  events: EventName[];
  filter: string;
  envelope: boolean;
  ordering: WebhookOrdering;
  /** Both empty: no limit. */
  perSecond: string;
  burst: string;
  asymmetricSignature: boolean;
  /** A line for each header field. Undefined: they stay. */
  headers: string | undefined;
}

export function draftOf({ url }: Webhook, options: WebhookOptions): Draft {
  const { events, filter, envelope, ordering, rateLimit, asymmetricSignature } = options;
  return {
    url,
    secretToken: '',
    events,
    filter: filter ?? '',
    envelope,
    ordering,
    perSecond: rateLimit ? String(rateLimit.perSecond) : '',
    burst: rateLimit ? String(rateLimit.burst) : '',
    asymmetricSignature,
    headers: undefined,
  };
}

/** Returns what differs between the form and the webhook. Empty: nothing. */
export function changeOf(draft: Draft, before: Draft): WebhookOptionsChange {
  const change: WebhookOptionsChange = {};
  if (draft.url !== before.url) change.url = draft.url;
  if (draft.secretToken !== '') change.secretToken = draft.secretToken;
  if (draft.events.join() !== before.events.join()) change.events = draft.events;
  if (draft.filter.trim() !== before.filter) change.filter = draft.filter.trim() || null;
  if (draft.envelope !== before.envelope) change.envelope = draft.envelope;
  if (draft.ordering !== before.ordering) change.ordering = draft.ordering;
  if (draft.perSecond !== before.perSecond || draft.burst !== before.burst) {
    change.rateLimit =
      draft.perSecond === '' && draft.burst === ''
        ? null
        : { perSecond: Number(draft.perSecond), burst: Number(draft.burst) };
  }
  if (draft.asymmetricSignature !== before.asymmetricSignature) {
    change.asymmetricSignature = draft.asymmetricSignature;
  }
  if (draft.headers !== undefined) change.headers = headersIn(draft.headers);
  return change;
}

/** Reads header fields, `name: value` in each line. The API says what is wrong with them. */
export function headersIn(lines: string): Record<string, string> {
  const fields = lines.split('\n').filter((line) => line.trim() !== '');
  return Object.fromEntries(
    fields.map((line): [string, string] => {
      const colon = line.indexOf(':');
      return colon < 0 ? [line.trim(), ''] : [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
    }),
  );
}
