const contentOf = (name: string): string | undefined =>
  document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content;

/** The path prefix of the gateway, without a trailing slash. */
export const base: string = contentOf('parley-base') ?? '';

/** The path of the console. */
export const consolePath = `${base}/console`;

/** The workspace of a page of the portal. Undefined: it is a page of the console. */
export const portalWorkspace: string | undefined = contentOf('parley-portal');

/** The path of the portal. */
export const portalPath = `${consolePath}/portal/${portalWorkspace}`;

/** The branding of a page of the portal, as JSON. */
export const portalBranding: string | undefined = contentOf('parley-branding');

/** Whether the gateway shows the traces of a local run. */
export const hasTraces: boolean = contentOf('parley-traces') !== undefined;

/** Returns the address of a trace in a local run. */
export function traceAddress(traceId: string): string {
  return `${base}/traces/${traceId}`;
}
