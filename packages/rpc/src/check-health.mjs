// Exits with 0 if the service on this port of this host is ready, else with 1: node check-health.mjs <port>
// Containers run it every few seconds, so it loads neither gRPC's library nor TypeScript.
import { connect } from 'node:http2';

const session = connect(`http://127.0.0.1:${process.argv[2]}`);
const request = session.request({
  ':method': 'POST',
  ':path': '/grpc.health.v1.Health/Check',
  'content-type': 'application/grpc',
  te: 'trailers',
});
// An uncompressed message without bytes: a HealthCheckRequest for the whole server.
request.end(Buffer.alloc(5));
const answer = Buffer.concat(await request.toArray());
session.destroy();
// An uncompressed message of two bytes: a HealthCheckResponse whose field 1, the status, is SERVING.
process.exitCode = answer.equals(Buffer.from([0, 0, 0, 0, 2, 0x08, 1])) ? 0 : 1;
