import type { Demo } from './demo-file.ts';

/**
 * Returns the request of a company's backend for each conversation, as a `curl` command. `origin`: where the API is.
 */
export function requestsOf(demo: Demo, origin: string): Record<string, string> {
  const { workspaceId, apiKey, apiSecret, customerId, offers } = demo;
  return Object.fromEntries(
    Object.entries(offers).map(([name, offer]) => {
      const body = JSON.stringify({ customerId, status: 'Pending', ...offer });
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
