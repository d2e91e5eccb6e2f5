import { type DatabaseService, databaseServices, type ServiceName } from '@parley/contracts/services';
import { certificateFiles } from '../files/certificate-files.ts';
import type { OperatorAccess } from './demo.ts';
import { grpcAddress } from '../processes/environment.ts';
import { type Secrets, tokenOf } from '../files/secrets.ts';

/** Returns how the operator reaches the services of a run, whose replicas listen at `addresses`. */
export function operatorAccessOf(
  { dataDir, secrets }: { dataDir: string; secrets: Secrets },
  addresses: Record<ServiceName, string[]>,
  tls = false,
): OperatorAccess {
  const entries = databaseServices.map((name) => [name, grpcAddress(addresses[name])]);
  return {
    ...(Object.fromEntries(entries) as Record<DatabaseService, string>),
    operatorToken: secrets.operatorToken,
    consumerToken: tokenOf(secrets, 'consumer'),
    bodyReaderToken: tokenOf(secrets, 'bodyreader'),
    ...(tls && {
      tls: certificateFiles(dataDir, 'cli'),
      consumerTls: {
        consumer: certificateFiles(dataDir, 'consumer'),
        bodyreader: certificateFiles(dataDir, 'bodyreader'),
      },
    }),
  };
}
