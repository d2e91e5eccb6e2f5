import { type DetailName, detailForm, detailOf, perDetail } from '@parley/contracts/customer-details';
import { customerLimits, erasureLimits, retentionLimits } from '@parley/contracts/limits';
import { between, characters, commonRules, customerId, type RequestRules } from '@parley/rpc/request-rules';

const { searchCharactersMin, searchCharactersMax } = customerLimits;

/** 0 stands for never. */
const days = between(0, retentionLimits.daysMax);

export const requestRules: RequestRules = {
  ...commonRules,
  id: customerId,
  ids: customerId,
  ...perDetail(detailRule),
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

function detailRule(name: DetailName): RequestRules[string] {
  const form = detailForm(name);
  const length = characters(0, detailOf(name).charactersMax);
  return (value) => (form && value !== '' && !form.pattern.test(String(value)) ? form.fault : length(value));
}
