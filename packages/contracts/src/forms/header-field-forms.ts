import { webhookLimits } from '../limits.ts';

const { headerNameLengthMax, headerValueLengthMax } = webhookLimits;

/** The form of the name of a webhook's header field: a token of RFC 9110. */
export const headerNameForm = new RegExp(`^[!#$%&'*+.^_\`|~0-9A-Za-z-]{1,${headerNameLengthMax}}$`);

/** The form of the value of a webhook's header field: visible ASCII and spaces. */
export const headerValueForm = new RegExp(`^[\\x20-\\x7e]{0,${headerValueLengthMax}}$`);

/** The names of fields that the HTTP client or the webhook service sets, so that no webhook can. */
export const reservedHeaderForm = new RegExp(
  '^(host|transfer-encoding|connection|keep-alive|te|trailer|upgrade|expect|user-agent|traceparent|tracestate|' +
    '(content|proxy|webhook|x-parley)-.*)$',
  'i',
);
