import { startProxy } from './proxy.ts';

// A proxy as a process of its own, at the port that it is given; tells its URL.

const { url } = await startProxy({ port: Number(process.argv[2]) });
process.send?.(url.href);
