import type { Demo } from './demo-file.ts';

/**
 * The request that a client's backend would send for each conversation, as a `curl` for a shell. `origin` is that of
 * the API.
 */
export function requestsOf(demo: Demo, origin: string): Record<string, string> {
  const { workspaceId, apiKey, apiSecret, customerId, talks } = demo;
  return Object.fromEntries(
    Object.entries(talks).map(([name, talk]) => {
      const body = JSON.stringify({ customerId, status: 'Pending', ...talk });
      const lines = [
        `curl ${origin}/v1/workspaces/${workspaceId}/interactions`,
        `-u ${apiKey}:${apiSecret}`,
        "-H 'content-type: application/json'",
        `-d '${body.replaceAll("'", String.raw`'\''`)}'`,
      ];
      return [name, lines.join(' \\\n  ')];
    }),
  );
}
