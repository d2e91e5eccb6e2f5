import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useMemo, useState } from 'preact/hooks';
import type { Branding } from '../../model.ts';

// Pixels of the longer side: enough for the largest avatar on a dense screen. Each avatar has a canvas of this size.
const logoSide = 96;

/** The branding for customers; a field that is not set, or not loaded yet, is absent or null. */
interface Brand extends Partial<Branding> {
  logo?: ImageBitmap | undefined;
}

export const BrandContext = createContext<Brand>({});

/** Provides the branding of the workspace to a screen, and loads the logo once. */
export function Branded(props: { branding: Branding | undefined; children: ComponentChildren }) {
  const { branding, children } = props;
  const logo = useImage(branding?.logoUrl);
  const brand = useMemo(() => ({ ...branding, logo }), [branding, logo]);
  return <BrandContext.Provider value={brand}>{children}</BrandContext.Provider>;
}

export function Ending() {
  const { endText, endLink } = useContext(BrandContext);
  return (
    <>
      {endText && (
        <p class="text ending" dir="auto">
          {endText}
        </p>
      )}
      {endLink?.url.startsWith('https://') && (
        <a class="ending" href={endLink.url} target="_blank" rel="noopener noreferrer" dir="auto">
          {endLink.label}
        </a>
      )}
    </>
  );
}

// Fetched and drawn, because an img element would need `img-src` of the page's content security policy.
function useImage(url: string | null | undefined): ImageBitmap | undefined {
  const [loaded, setLoaded] = useState<{ url: string; image: ImageBitmap }>();
  useEffect(() => {
    if (!url) return undefined;
    const life = new AbortController();
    // The answer to an older URL may arrive after that to a newer one.
    loadImage(url, life.signal).then(
      (image) => !life.signal.aborted && setLoaded({ url, image }),
      () => {},
    );
    return () => life.abort();
  }, [url]);
  return loaded && loaded.url === url ? loaded.image : undefined;
}

async function loadImage(url: string, signal: AbortSignal): Promise<ImageBitmap> {
  const response = await fetch(url, { credentials: 'omit', signal });
  const image = await createImageBitmap(await response.blob());
  const scale = logoSide / Math.max(image.width, image.height);
  const resizeWidth = Math.ceil(image.width * scale);
  const resizeHeight = Math.ceil(image.height * scale);
  return createImageBitmap(image, { resizeWidth, resizeHeight, resizeQuality: 'high' });
}
