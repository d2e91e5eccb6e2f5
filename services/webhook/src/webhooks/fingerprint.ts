import { mac } from '@parley/runtime/keyring';

/**
 * What makes a secret token unique in its workspace without storing it: HMAC-SHA256 under the key that `fingerprintKey` has.
 */
export function secretTokenFingerprint(key: Buffer, workspaceId: string, secretToken: string): Buffer {
  return mac(key, `${workspaceId}:${secretToken}`);
}
