import { join } from 'node:path';
import type { RpcTlsFiles } from '@parley/runtime/config/config';
import { serviceNames } from '@parley/contracts/services';

/** The names in the certificates of a run: the services, consumers of events, and the command line. */
export const certificateNames = [...serviceNames, 'consumer', 'bodyreader', 'cli'] as const;

export function certificateFiles(dataDir: string, name: (typeof certificateNames)[number]): RpcTlsFiles {
  const at = (file: string): string => join(dataDir, 'tls', file);
  return { ca: at('ca.pem'), cert: at(`${name}.pem`), key: at(`${name}-key.pem`) };
}
