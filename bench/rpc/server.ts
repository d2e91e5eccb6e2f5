import { CustomerServiceService } from '@parley/contracts/customer/v1/customer';
import { serve } from '@parley/rpc/serve';
import { openTls } from '@parley/rpc/tls';
import { rpcTlsOf } from '@parley/runtime/config/config';
import { createLogger } from '@parley/runtime/telemetry/logger';
import { partialService } from '@parley/testing/peers/partial-service';
import { usedUs } from '../turns/worker.ts';
import { customer, tokens } from './customers.ts';

/**
 * The answer to every message: the address of the server, and the microseconds of processor time that it has used so
 * far.
 */
export interface ServerState {
  address: string;
  usedUs: number;
}

process.on('disconnect', () => process.exit());
// A log line would be part of the report. A call that fails ends the run anyway.
const logger = createLogger('bench', 'silent');
const { address } = await serve({
  listen: { host: '127.0.0.1', port: 0 },
  services: [partialService(CustomerServiceService, { getCustomer: async () => customer })],
  tokens,
  tls: openTls(rpcTlsOf(process.env), 'customer', logger),
  logger,
  isReady: async () => true,
});
process.on('message', () => process.send?.({ address, usedUs: usedUs() } satisfies ServerState));
