import type { Theme } from '../../model.ts';
import { type Colour, mix, readableOn, readColour, textOn, white, writeColour } from './contrast.ts';

export const grounds = { light: white, dark: [28, 31, 38] as Colour };

const defaultAccent: Colour = [79, 70, 229];
/** The limits of browsers. */
const zIndexMax = 2_147_483_647;

/** The colours that follow from the accent, for one background: text in or on them has a contrast of at least 4.5. */
export function palette(accent: Colour, ground: Colour) {
  // On a dark background a dark accent would not be visible as a surface; on white its text makes it visible.
  const fill = ground === grounds.dark ? readableOn(accent, ground, 3) : accent;
  const tint = mix(ground, accent, 0.1);
  return { fill, onFill: textOn(fill), ink: readableOn(readableOn(accent, ground), tint), tint };
}

/** `auto` is the customer's system. Default: the page's own scheme. */
const schemes = new Map<unknown, string>([
  ['auto', 'light dark'],
  ['light', 'light'],
  ['dark', 'dark'],
]);

/**
 * Returns a style sheet with the theme as custom properties; invalid values are ignored. The workspace's accent is for
 * a theme without one.
 */
export function themeSheet(theme: Theme, workspaceAccent?: string | null): string {
  const accent = readColour(theme.accent ?? '') ?? readColour(workspaceAccent ?? '') ?? defaultAccent;
  const light = palette(accent, grounds.light);
  const dark = palette(accent, grounds.dark);
  const declare = (value: (name: keyof typeof light) => string) =>
    (['fill', 'onFill', 'ink', 'tint'] as const).map((name) => `--${name}:${value(name)};`).join('');
  const bright = declare((name) => writeColour(light[name]));
  const both = declare((name) => `light-dark(${writeColour(light[name])},${writeColour(dark[name])})`);
  const radius = within(0, 32, theme.radius) ?? 16;
  const zIndex = Math.trunc(within(-zIndexMax, zIndexMax, theme.zIndex) ?? 2_147_483_000);
  const scheme = schemes.get(theme.colorScheme);
  // In a browser without light-dark(), a custom property that uses it would be no colour.
  return `.root{${bright}--radius:${radius}px}
@supports (color: light-dark(red, red)) { .root{${both}} }
:host{z-index:${zIndex} !important${scheme ? `;color-scheme:${scheme} !important` : ''}}`;
}

function within(min: number, max: number, value: number | string | undefined): number | undefined {
  const near = Math.min(Math.max(value === '' ? Number.NaN : Number(value ?? Number.NaN), min), max);
  return Number.isNaN(near) ? undefined : near;
}
