import { Client, credentials, Metadata } from '@grpc/grpc-js';
import { type Customer, CustomerServiceService } from '@parley/contracts/customer/v1/customer';
import { connect } from '@parley/rpc/connect';
import { openTls } from '@parley/rpc/tls';
import { rpcTlsOf } from '@parley/runtime/config/config';
import { createLogger } from '@parley/runtime/telemetry/logger';
import { currentTraceparent } from '@parley/runtime/telemetry/telemetry';
import { customer, tokens } from './customers.ts';

/** The ways to make a call: a plain unary call of grpc-js, the stream of `connect`, and the same with TLS. */
export const ways = ['unary', 'stream', 'tls'] as const;
export type Way = (typeof ways)[number];

type Call = () => Promise<Customer>;

const request = { workspaceId: 'w', id: customer.id };
const requestId = 'r';
const timeoutMs = 5_000;

/** The same call to the server at an address, by way. Both send deadline, credential, request id and trace. */
export const callers: Record<Way, (address: string) => Call> = {
  tls: (address) => {
    const tls = openTls(rpcTlsOf(process.env), 'interaction', createLogger('bench', 'silent'))?.to(
      'customer',
    );
    const client = connect(address, { token: tokens.service, caller: 'interaction', tls }).client(
      CustomerServiceService,
    );
    return () => client.getCustomer(request, { requestId, timeoutMs });
  },
  stream: (address) => {
    const client = connect(address, { token: tokens.service, caller: 'interaction' }).client(
      CustomerServiceService,
    );
    return () => client.getCustomer(request, { requestId, timeoutMs });
  },
  unary: (address) => {
    const client = new Client(address, credentials.createInsecure(), { 'grpc.enable_retries': 0 });
    const { path, requestSerialize, responseDeserialize } = CustomerServiceService.getCustomer;
    return () =>
      new Promise((resolve, reject) => {
        const metadata = new Metadata();
        metadata.set('authorization', `Bearer ${tokens.service}`);
        metadata.set('x-parley-caller', 'interaction');
        metadata.set('x-request-id', requestId);
        metadata.set('traceparent', currentTraceparent() ?? '');
        client.makeUnaryRequest(
          path,
          requestSerialize,
          responseDeserialize,
          request,
          metadata,
          { deadline: Date.now() + timeoutMs },
          (error, response) => (response ? resolve(response) : reject(error ?? new Error('no response'))),
        );
      });
  },
};
