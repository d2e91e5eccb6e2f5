import { ConfigError } from '@parley/runtime/config/config';
import { expect, test } from 'vitest';
import { splitTls } from './tls.ts';

const url = 'postgres://role:secret@db.internal:6432/parley';

test.each([
  'sslcrl=/crl.pem',
  'sslcrldir=/crl',
  'sslpassword=of-the-key',
  'sslcertmode=require',
  'sslsni=0',
  'sslcompression=1',
  'sslkeylogfile=/keys',
  'ssl_min_protocol_version=TLSv1.3',
  'ssl_max_protocol_version=TLSv1.2',
  'channel_binding=require',
  'gssencmode=require',
  'require_auth=scram-sha-256',
  'requirepeer=postgres',
  'requiressl=1',
  // Of later versions of libpq.
  'sslnew=1',
])('%s, which would protect the connection and has no effect here, is refused by name', (parameter) => {
  const [name, value] = parameter.split('=');
  const starting = () => splitTls(`${url}?sslmode=verify-full&${parameter}`);
  expect(starting).toThrow(ConfigError);
  expect(starting).toThrow(
    `the database at db.internal:6432: the parameter ${name} is not supported: remove it`,
  );
  // It can be a password.
  expect(starting).not.toThrow(`=${value}`);
});

test('parameters of other kinds, and values that demand nothing, stay in the URL', () => {
  const rest = 'application_name=a%20b&channel_binding=prefer&gssencmode=disable&options=-c%20geqo=off';
  expect(splitTls(`${url}?sslmode=require&${rest}`)).toEqual({
    url: `${url}?${rest}`,
    ssl: { rejectUnauthorized: false },
    sslnegotiation: 'postgres',
  });
});

test('a parameter of TLS whose name is percent-encoded has its effect', () => {
  expect(splitTls(`${url}?ssl%6Dode=require`)).toMatchObject({ url, ssl: { rejectUnauthorized: false } });
  expect(() => splitTls(`${url}?ssl%63rl=/crl.pem`)).toThrow('sslcrl');
});
