import { startProxy } from './proxy.ts';

// A proxy in its own process, at the given port. It prints its URL.

const { url } = await startProxy({ port: Number(process.argv[2]) });
process.send?.(url.href);
