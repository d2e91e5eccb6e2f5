import {
  botVersionLimits,
  conversationLimits,
  customerLimits,
  interactionLimits,
} from '@parley/contracts/limits';
import { between, characters, commonRules, type RequestRules, resourceId } from '@parley/rpc/request-rules';
import { isPageToken } from './removal/redact-customer.ts';

const { clientMessageIdCharactersMax, stepIdCharactersMax, localeCharactersMax } = conversationLimits;

/** The rules for the fields of requests. */
export const requestRules: RequestRules = {
  ...commonRules,
  id: resourceId,
  note: characters(0, botVersionLimits.noteCharactersMax),
  interactionId: resourceId,
  details: characters(0, customerLimits.emailCharactersMax),
  pageToken: (value) => (isPageToken(String(value)) ? undefined : 'Must be the nextPageToken of a page'),
  clientMessageId: characters(1, clientMessageIdCharactersMax),
  stepId: characters(1, stepIdCharactersMax),
  locale: characters(0, localeCharactersMax),
  waitSeconds: between(0, interactionLimits.waitSecondsMax),
};
