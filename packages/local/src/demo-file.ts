import { join } from 'node:path';

/** Where a run says what its demo page is about; the gateways read it. */
export function demoFile(dataDir: string): string {
  return join(dataDir, 'demo-page.json');
}
