import { emailForm } from '@parley/contracts/email';
import { customerLimits, erasureLimits } from '@parley/contracts/limits';
import { between, characters, commonRules, customerId, type RequestRules } from '@parley/rpc/request-rules';

const { nameCharactersMax, emailCharactersMax, searchCharactersMin, searchCharactersMax } = customerLimits;
const emailCharacters = characters(0, emailCharactersMax);

/** The rules for the fields of requests. */
export const requestRules: RequestRules = {
  ...commonRules,
  id: customerId,
  firstName: characters(0, nameCharactersMax),
  lastName: characters(0, nameCharactersMax),
  email: (value) =>
    value === '' || emailForm.test(String(value)) ? emailCharacters(value) : 'Must be an email address',
  beginning: characters(searchCharactersMin, searchCharactersMax),
  waitSeconds: between(0, erasureLimits.waitSecondsMax),
  limit: between(1, erasureLimits.pageSizeMax),
};
