import { commonRules, type RequestRules } from '@parley/rpc/request-rules';

/** The rules for the fields of requests. */
export const requestRules: RequestRules = { ...commonRules };
