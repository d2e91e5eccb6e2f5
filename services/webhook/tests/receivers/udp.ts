import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/** A UDP socket at a port of 127.0.0.1 that refuses TCP connections. */
export async function openUdpAlone(): Promise<Socket> {
  const held = createServer().listen(0, '127.0.0.1');
  await once(held, 'listening');
  const socket = createSocket('udp4').bind((held.address() as AddressInfo).port, '127.0.0.1');
  await once(socket, 'listening');
  held.close();
  await once(held, 'close');
  return socket;
}
