import { asParleyError } from './failure.ts';

// Kept before the page can patch it.
const { fetch } = globalThis;

let isExplained = false;

/**
 * Writes one line to the console if the API answers no call of this page because its origin is not allowed. Scripts
 * cannot distinguish that from an absent network, so this asks again, and for a public file without CORS.
 */
export function explainOrigin(error: unknown, api: { baseUrl: string; workspaceId: string }): void {
  const failure = asParleyError(error);
  if (isExplained || failure?.status !== undefined || !(failure?.cause instanceof TypeError)) return;
  isExplained = true;
  void explainIfForbidden(api);
}

async function explainIfForbidden(api: { baseUrl: string; workspaceId: string }): Promise<void> {
  isExplained = await isForbidden(api).catch(() => false);
  if (!isExplained) return;
  const { origin } = location;
  console.error(
    `Parley: workspace ${api.workspaceId} does not allow pages of ${origin}. Allow them, beside your other ` +
      `origins, in Parley's folder: npm run --silent parley -- workspace update ${api.workspaceId} ` +
      `--allowed-domain ${origin}`,
  );
}

/** Rejects if the API cannot be reached. */
async function isForbidden({
  baseUrl,
  workspaceId,
}: {
  baseUrl: string;
  workspaceId: string;
}): Promise<boolean> {
  try {
    await fetch(`${baseUrl}/public/v1/workspaces/${workspaceId}/pending`);
    return false;
  } catch {
    await fetch(`${baseUrl}/sdk/v1/loader.js`, { method: 'HEAD', mode: 'no-cors' });
    return true;
  }
}
