import { z } from 'zod';

const characterCountMin = 16;

/** In place of a token: with TLS, the certificate of a caller is its only credential. */
export const certificateOnly = 'certificate';

/**
 * One or more credentials of calls between services, separated by commas. A caller sends the first, and a server
 * accepts all, so that a token can change without a moment in which a call is refused. One may be `certificateOnly`.
 */
export const rpcTokens = z
  .string()
  .refine(
    (text) =>
      parseRpcTokens(text).every((token) => token === certificateOnly || token.length >= characterCountMin),
    `must be tokens of at least ${characterCountMin} characters, separated by commas`,
  );

/** Returns the tokens of a text that `rpcTokens` accepts. */
export function parseRpcTokens(text: string): string[] {
  return text.split(',').map((token) => token.trim());
}
