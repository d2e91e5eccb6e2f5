import { commonRules, type RequestRules, resourceId } from '@parley/rpc/request-rules';
import { isTimeZone } from './reading/values/days.ts';

export const requestRules: RequestRules = {
  ...commonRules,
  botId: resourceId,
  tz: (value) => (isTimeZone(String(value)) ? undefined : 'Must be an IANA time zone, such as Europe/Berlin'),
};
