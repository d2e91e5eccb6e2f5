import type { LoadUi } from './sdk/panel.ts';
import type { InitOptions } from './sdk/init-options.ts';
import { init, type Widget } from './sdk/sdk.ts';
import type { GetCustomerToken } from './customer/session.ts';

/** The name of the UI chunk, beside the loader. The build sets it. */
declare const uiChunk: string;

/** `window.Parley`, the only name that the script adds to the page. */
interface Parley {
  /** The default `baseUrl` is the origin of the script. */
  init(options: Omit<InitOptions, 'baseUrl'> & Partial<Pick<InitOptions, 'baseUrl'>>): Widget;
  /** The widget of a script tag with `data-workspace`. */
  widget?: Widget;
}

declare global {
  interface Window {
    Parley?: Parley;
  }
}

const path = '/sdk/v1/loader.js';
// Kept before the page can patch it.
const { fetch } = globalThis;
const script =
  (document.currentScript as HTMLScriptElement | null) ??
  document.querySelector<HTMLScriptElement>(`script[src*="${path}"]`);

// An element with the id `Parley` also has the name.
if (script && typeof window.Parley?.init !== 'function') window.Parley = parleyOf(script);

function parleyOf({ src, dataset }: HTMLScriptElement): Parley {
  const ownUrl = new URL(src, document.baseURI);
  const ownBase = ownUrl.origin + ownUrl.pathname.slice(0, ownUrl.pathname.lastIndexOf(path));
  let ui: ReturnType<LoadUi> | undefined;
  let failures = 0;
  const loadUi: LoadUi = () =>
    (ui ??= (
      import(new URL(`${uiChunk}${failures ? `?${failures}` : ''}`, ownUrl).href) as ReturnType<LoadUi>
    ).catch((error: unknown) => {
      ui = undefined;
      // Browsers cache a failed import: another query is another import.
      failures += 1;
      throw error;
    }));
  const parley: Parley = {
    init: (options) => init({ ...options, baseUrl: options.baseUrl ?? ownBase }, loadUi),
  };
  const { workspace, tokenUrl, locale, autoOpen } = dataset;
  if (workspace && tokenUrl) {
    parley.widget = parley.init({
      workspaceId: workspace,
      getCustomerToken: tokenFrom(tokenUrl),
      locale,
      // Attributes are text. The theme ignores invalid values.
      theme: dataset,
      autoOpen: autoOpen !== 'false',
    });
  }
  return parley;
}

/**
 * Gets a token from the page's own backend, which knows the customer by a cookie. It answers the token as text, or as
 * JSON `{customerToken}`; 204, 401, 403 and 404 mean that nobody is logged in.
 */
function tokenFrom(url: string): GetCustomerToken {
  return async () => {
    const response = await fetch(new URL(url, document.baseURI), {
      credentials: 'same-origin',
      cache: 'no-store',
      // Aborts a request that has been abandoned: a browser has six connections to a host.
      signal: AbortSignal.timeout(15_000),
    });
    if ([204, 401, 403, 404].includes(response.status)) return null;
    if (!response.ok) throw new Error(`the token URL answered ${response.status}`);
    return response.text();
  };
}
