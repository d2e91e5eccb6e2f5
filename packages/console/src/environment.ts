const contentOf = (name: string): string | undefined =>
  document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content;

/** The path prefix of the gateway, without a trailing slash. */
export const base: string = contentOf('parley-base') ?? '';

/** The path of the console. */
export const consolePath = `${base}/console`;

/** Whether the gateway shows the traces of a local run. */
export const hasTraces: boolean = contentOf('parley-traces') !== undefined;

/** Returns the address of a trace in a local run. */
export function traceAddress(traceId: string): string {
  return `${base}/traces/${traceId}`;
}
