import type { Grant } from '@parley/contracts/common/v1/grant';
import { linkTokenChars } from '@parley/contracts/limits';
import { sessionGrantSeconds } from '@parley/rpc/grants';
import { testGrants } from '@parley/testing/peers/callers';
import { v7 as uuidv7 } from 'uuid';

/** The workspace, key, customer and other objects of the services behind the gateway. */
export const known = {
  workspaceId: uuidv7(),
  otherWorkspaceId: uuidv7(),
  foreignWorkspaceId: uuidv7(),
  apiKey: 'prl_key_0123456789012345678901',
  otherApiKey: 'prl_key_0123456789012345678902',
  apiSecret: 'prl_sec_right000000000000000000000000000000000000000ZCYkw',
  wrongApiSecret: 'prl_sec_wrong000000000000000000000000000000000000000gg3YZ',
  customerId: 'ada/1',
  interactionId: uuidv7(),
  botId: uuidv7(),
  webhookId: uuidv7(),
  memberId: uuidv7(),
  portalLinkId: uuidv7(),
  erasureId: uuidv7(),
  openLinkId: uuidv7(),
  openLinkToken: 'Open123'.padEnd(linkTokenChars.min, 'x'),
  linkToken: 'Link123'.padEnd(linkTokenChars.min, 'x'),
  draftLinkToken: 'Draft123'.padEnd(linkTokenChars.min, 'x'),
  customerToken: 'customer.token',
  otherCustomerToken: 'customer.token.2',
  allowedDomain: 'https://shop.example/',
};

/** Of links that have been renewed often: their versions have two to six characters. */
export const longLinkTokens = [46, 47, 48, 49, 50].map((length) => `Link${length}`.padEnd(length, 'x'));

/** When everything has happened. */
export const now = new Date('2026-11-21T09:30:00.123Z');

/** The workspaces that exist. */
export const workspaceIds = [known.workspaceId, known.otherWorkspaceId, known.foreignWorkspaceId];

export function grantOf(ids: string[], holder: Grant['holder']): string {
  return testGrants.issue({ workspaceIds: ids, holder }, sessionGrantSeconds);
}
