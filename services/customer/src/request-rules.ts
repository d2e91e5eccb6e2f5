import { emailForm } from '@parley/contracts/email';
import { customerLimits, erasureLimits, retentionLimits } from '@parley/contracts/limits';
import { between, characters, commonRules, customerId, type RequestRules } from '@parley/rpc/request-rules';

const { nameCharactersMax, emailCharactersMax, searchCharactersMin, searchCharactersMax } = customerLimits;
const emailCharacters = characters(0, emailCharactersMax);

/** 0 stands for never. */
const days = between(0, retentionLimits.daysMax);

/** The rules for the fields of requests. */
export const requestRules: RequestRules = {
  ...commonRules,
  id: customerId,
  ids: customerId,
  firstName: characters(0, nameCharactersMax),
  lastName: characters(0, nameCharactersMax),
  email: (value) =>
    value === '' || emailForm.test(String(value)) ? emailCharacters(value) : 'Must be an email address',
  beginning: characters(searchCharactersMin, searchCharactersMax),
  completedDays: days,
  endedDays: days,
  draftDays: days,
  waitSeconds: between(0, erasureLimits.waitSecondsMax),
  requestedBy: characters(0, 255),
  kind: (value) =>
    value === 'anonymisation' || value === 'deletion' ? undefined : 'Must be anonymisation or deletion',
  limit: between(1, erasureLimits.pageSizeMax),
};
