import { AppError } from '@parley/runtime/errors';
import type { Keyring } from '@parley/runtime/config/keyring';
import { openIfPossible } from '../sending/rules/secrets.ts';

/** Throws ALREADY_EXISTS `secret-token-in-use` if one of the webhooks has this secret token. */
export function requireUnused(
  keys: Keyring,
  webhooks: readonly { id: string; secretToken: string | null }[],
  secretToken: string,
): void {
  const isInUse = webhooks.some(
    (other) => openIfPossible(keys, 'secret-token', other.id, other.secretToken ?? '') === secretToken,
  );
  if (!isInUse) return;
  const message = 'A webhook with this secretToken exists already';
  throw new AppError('already_exists', 'secret-token-in-use', message);
}
