const contentOf = (name: string): string | undefined =>
  document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content;

/** The path prefix of the gateway, without a trailing slash. */
export const base: string = contentOf('parley-base') ?? '';

export const consolePath = `${base}/console`;

/** The workspace of a page of the portal. Undefined: it is a page of the console. */
export const portalWorkspace: string | undefined = contentOf('parley-portal');

export const portalPath = `${consolePath}/portal/${portalWorkspace}`;

export const portalBranding: string | undefined = contentOf('parley-branding');

export const hasTraces: boolean = contentOf('parley-traces') !== undefined;

export function traceAddress(traceId: string): string {
  return `${base}/traces/${traceId}`;
}
