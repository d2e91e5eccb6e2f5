import { mix, readableOn, readColour, textOn, writeColour } from '../../../widget/src/ui/look/contrast.ts';
import { portalBranding } from '../environment.ts';

interface Branding {
  displayName: string | null;
  logo: string | null;
  accentColor: string | null;
}

/** The branding of the workspace. Without one, the portal looks like the console. */
export const branding: Branding =
  portalBranding === undefined
    ? { displayName: null, logo: null, accentColor: null }
    : (JSON.parse(portalBranding) as Branding);

/** The grounds of texts in the accent colour that contrast the least with it: `--raised` in styles.css. */
const grounds = { light: '#f0f1f3', dark: '#24262d' };

/** Gives the page the accent colour of the workspace, darkened or lightened until texts in it are readable. */
export function applyAccent(): void {
  const accent = readColour(branding.accentColor ?? '');
  if (!accent) return;
  const { style } = document.documentElement;
  for (const [theme, text] of Object.entries(grounds)) {
    const ground = readColour(text);
    if (!ground) continue;
    const soft = mix(ground, accent, 0.1);
    const readable = readableOn(readableOn(accent, ground), soft);
    style.setProperty(`--brand-${theme}`, writeColour(readable));
    style.setProperty(`--brand-${theme}-ink`, writeColour(textOn(readable)));
    style.setProperty(`--brand-${theme}-soft`, writeColour(soft));
  }
}
