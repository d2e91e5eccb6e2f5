import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';

/** Where copies of a process are: at these addresses, or at all that a name has. */
export type Target = { addresses: string[] } | { name: string; port: number };

/**
 * Reads `host:port`, `dns:///name:port`, `ipv4:a:p,b:p` or `ipv6:[a]:p,[b]:p`. Addresses come as `ipv4:a:p`, `ipv6:[a]:p`.
 * Throws for anything else.
 */
export function parseTarget(target: string): Target {
  const listed = /^ipv[46]:(.+)$/.exec(target)?.[1];
  if (listed) return { addresses: listed.split(',').map((one) => addressOf(hostAndPort(one))) };
  const { host, port } = hostAndPort(target.replace(/^dns:(\/\/\/)?/, ''));
  return isIP(host) === 0 ? { name: host, port } : { addresses: [addressOf({ host, port })] };
}

function hostAndPort(text: string): { host: string; port: number } {
  const [, inBrackets, plain, port] = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = inBrackets ?? plain;
  if (!host) throw new Error(`not an address with a port: ${text}`);
  return { host, port: Number(port) };
}

function addressOf({ host, port }: { host: string; port: number }): string {
  return isIP(host) === 6 ? `ipv6:[${host}]:${port}` : `ipv4:${host}:${port}`;
}

/** The addresses of a target, as they change. */
export interface AddressWatch extends Disposable {
  /** Looks the name up again, but at most once a second. */
  refresh(): void;
}

const lookupsApartMs = { least: 1_000, most: 30_000 };

/** Tells the addresses now and whenever a name is looked up, which is every 30 seconds; `failed` when that is in vain. */
export function watchAddresses(
  target: Target,
  found: (addresses: string[]) => void,
  failed: (cause: unknown) => void,
): AddressWatch {
  if ('addresses' in target) {
    found(target.addresses);
    return { refresh: () => {}, [Symbol.dispose]: () => {} };
  }
  const { name, port } = target;
  let timer: NodeJS.Timeout | undefined;
  let lookedUpAtMs = 0;
  let isOver = false;

  const look = async (): Promise<void> => {
    lookedUpAtMs = performance.now();
    try {
      const all = await lookup(name, { all: true });
      if (!isOver) found(all.map(({ address }) => addressOf({ host: address, port })));
      lookAgain(lookupsApartMs.most);
    } catch (error) {
      if (!isOver) failed(error);
      lookAgain(lookupsApartMs.least);
    }
  };
  const lookAgain = (inMs: number): void => {
    clearTimeout(timer);
    if (!isOver) timer = setTimeout(() => void look(), inMs).unref();
  };

  void look();
  return {
    refresh: () => lookAgain(Math.max(0, lookedUpAtMs + lookupsApartMs.least - performance.now())),
    [Symbol.dispose]: () => {
      isOver = true;
      clearTimeout(timer);
    },
  };
}
