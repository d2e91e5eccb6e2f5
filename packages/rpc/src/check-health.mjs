// Exits with 0 if the service on this port of this host is ready, else with 1: node check-health.mjs <port>
// With `process` as a second argument, it need only run: for liveness probes.
// Containers run it every few seconds, so it loads neither gRPC's library nor TypeScript.
import { connect } from 'node:http2';
import { connect as connectSocket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const [, , port, service = ''] = process.argv;
// With TLS, a service has a socket for probes: it may run well with another certificate than its files have now.
// oxlint-disable-next-line node/no-process-env -- it has the configuration of the service
const hasTls = Boolean(process.env.RPC_TLS_CERT_FILE);
const createConnection = () => connectSocket(join(tmpdir(), `parley-health-${port}.sock`));
const session = connect(`http://127.0.0.1:${port}`, hasTls ? { createConnection } : {});
const request = session.request({
  ':method': 'POST',
  ':path': '/grpc.health.v1.Health/Check',
  'content-type': 'application/grpc',
  te: 'trailers',
});
// An uncompressed message with a HealthCheckRequest: without bytes for the whole server, else field 1 is the service.
const name = Buffer.from(service);
const message = name.length > 0 ? Buffer.concat([Buffer.from([0x0a, name.length]), name]) : name;
request.end(Buffer.concat([Buffer.from([0, 0, 0, 0, message.length]), message]));
const answer = Buffer.concat(await request.toArray());
session.destroy();
// An uncompressed message of two bytes: a HealthCheckResponse whose field 1, the status, is SERVING.
process.exitCode = answer.equals(Buffer.from([0, 0, 0, 0, 2, 0x08, 1])) ? 0 : 1;
