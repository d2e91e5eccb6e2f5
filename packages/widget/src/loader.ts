import type { LoadUi } from './panel.ts';
import type { InitOptions } from './init-options.ts';
import { init, type Widget } from './sdk.ts';
import type { GetCustomerToken } from './session.ts';

/** The name of the UI chunk, beside the loader: put in by the build. */
declare const uiChunk: string;

/** `window.Parley`, the one name that the script adds to the page. */
interface Parley {
  /** `baseUrl` is where the script is from, unless given. */
  init(options: Omit<InitOptions, 'baseUrl'> & Partial<Pick<InitOptions, 'baseUrl'>>): Widget;
  /** The widget that the script tag has set up by `data-workspace`. */
  widget?: Widget;
}

declare global {
  interface Window {
    Parley?: Parley;
  }
}

const path = '/sdk/v1/loader.js';
// As it was before the page could patch it.
const { fetch } = globalThis;
const script =
  (document.currentScript as HTMLScriptElement | null) ??
  document.querySelector<HTMLScriptElement>(`script[src*="${path}"]`);

// An element with the id `Parley` has the name, too.
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
      // Browsers remember that an import has failed: another query is another import.
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
      // Attributes are text: the style sheet is made of what can be read of them.
      theme: dataset,
      autoOpen: autoOpen !== 'false',
    });
  }
  return parley;
}

/**
 * Asks the page's own backend, which knows its customer by its own cookie. It answers the token as it is, or as JSON
 * `{customerToken}`; 204, 401, 403 and 404 mean that nobody is logged in.
 */
function tokenFrom(url: string): GetCustomerToken {
  return async () => {
    const response = await fetch(new URL(url, document.baseURI), {
      credentials: 'same-origin',
      cache: 'no-store',
      // A connection that nobody waits for any more would be one less for the page: a browser has six to a host.
      signal: AbortSignal.timeout(15_000),
    });
    if ([204, 401, 403, 404].includes(response.status)) return null;
    if (!response.ok) throw new Error(`the token URL has answered ${response.status}`);
    return response.text();
  };
}
