import { detailCharactersMax } from '@parley/contracts/customer-details';
import {
  botVersionLimits,
  conversationLimits,
  interactionLimits,
  openLinkLimits,
  replayLimits,
  retentionLimits,
} from '@parley/contracts/limits';
import {
  between,
  characters,
  commonRules,
  type RequestRules,
  resourceId,
  uuid,
} from '@parley/rpc/request-rules';

const { clientMessageIdCharactersMax, stepIdCharactersMax, localeCharactersMax } = conversationLimits;

const days = between(1, retentionLimits.daysMax);

export const requestRules: RequestRules = {
  ...commonRules,
  id: resourceId,
  note: characters(0, botVersionLimits.noteCharactersMax),
  interactionId: resourceId,
  interactionIds: uuid,
  details: characters(0, detailCharactersMax),
  completedDays: days,
  endedDays: days,
  draftDays: days,
  personId: uuid,
  presenceId: uuid,
  clientMessageId: characters(1, clientMessageIdCharactersMax),
  stepId: characters(1, stepIdCharactersMax),
  revisedStepId: characters(1, stepIdCharactersMax),
  stoppedAt: characters(1, stepIdCharactersMax),
  locale: characters(0, localeCharactersMax),
  limit: between(1, replayLimits.conversationsMax),
  waitSeconds: between(0, interactionLimits.waitSecondsMax),
};

/** `limit` is of a page there. */
export const openLinkRules: RequestRules = {
  ...commonRules,
  openLinkId: resourceId,
  botId: resourceId,
  name: characters(1, openLinkLimits.nameCharactersMax),
  responsesMax: between(0, openLinkLimits.responsesMax),
  limit: between(1, openLinkLimits.pageSizeMax),
  visit: characters(1, openLinkLimits.visitCharactersMax),
};
