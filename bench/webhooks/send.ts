import { createHmac, createSecretKey } from 'node:crypto';
import { Pool } from 'undici';
import { type Completion, signingSecret } from './contents.ts';

/** The maximum in flight, in every set-up. */
export const atOnce = 128;
const timeoutMs = 20_000;

/** POSTs a completion like the webhook service, signed, and returns the status. Rejects for anything but 2xx. */
export type Send = (completion: Completion) => Promise<number>;

/**
 * The sender of all peers. It uses the cheapest call of undici, `dispatch` on a pool, and signs with a key object, as
 * the service does.
 */
export function openSend(target: string): Send {
  const { origin, pathname } = new URL(target);
  // With the bytes of a key, Node 24 creates two errors per signature.
  const key = createSecretKey(signingSecret.slice('whsec_'.length), 'base64');
  const pool = new Pool(origin, {
    connections: atOnce,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
  });
  return ({ id, body }) =>
    new Promise((resolve, reject) => {
      const timestampSeconds = Math.floor(Date.now() / 1_000);
      const bytes = Buffer.from(body);
      const signed = createHmac('sha256', key).update(`${id}.${timestampSeconds}.`).update(bytes);
      const headers = {
        'content-type': 'application/json',
        'user-agent': 'bench/1',
        'webhook-id': id,
        'webhook-timestamp': String(timestampSeconds),
        'webhook-signature': `v1,${signed.digest('base64')}`,
      };
      let status = 0;
      pool.dispatch(
        { path: pathname, method: 'POST', headers, body: bytes },
        {
          // undici requires these.
          onRequestStart: () => {},
          onResponseData: () => {},
          onResponseStart: (_controller, code) => {
            status = code;
          },
          onResponseEnd: () => {
            if (status >= 200 && status < 300) resolve(status);
            else reject(new Error(`answered ${status}`));
          },
          onResponseError: (_controller, error) => reject(error),
        },
      );
    });
}
