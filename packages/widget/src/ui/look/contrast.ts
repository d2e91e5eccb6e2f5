/** A colour as red, green and blue, each 0 to 255. */
export type Colour = readonly [number, number, number];

export const white: Colour = [255, 255, 255];
export const black: Colour = [0, 0, 0];

export function readColour(text: string): Colour | undefined {
  const hex = /^#([\da-f]{3}|[\da-f]{6})$/i.exec(text.trim())?.[1];
  if (hex === undefined) return undefined;
  const part = (at: number) =>
    Number.parseInt(hex.length === 3 ? `${hex[at]}${hex[at]}` : hex.slice(at * 2, at * 2 + 2), 16);
  return [part(0), part(1), part(2)];
}

export function writeColour(colour: Colour): string {
  return `#${colour.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

/** Returns the contrast ratio of WCAG 2.2, from 1 to 21. */
export function contrast(one: Colour, other: Colour): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** Returns white or black, whichever is readable on the colour: white if both are. */
export function textOn(colour: Colour): Colour {
  return contrast(white, colour) >= 4.5 ? white : black;
}

/** Returns the colour, moved towards black or white until it has the contrast ratio to the ground. */
export function readableOn(colour: Colour, ground: Colour, ratio = 4.5): Colour {
  const goal = contrast(white, ground) > contrast(black, ground) ? white : black;
  for (let share = 0; share < 1; share += 0.02) {
    const candidate = mix(colour, goal, share);
    if (contrast(candidate, ground) >= ratio) return candidate;
  }
  return goal;
}

/** Mixes `share` (0 to 1) of the other colour into the first. */
export function mix(one: Colour, other: Colour, share: number): Colour {
  const part = (at: 0 | 1 | 2) => Math.round(one[at] * (1 - share) + other[at] * share);
  return [part(0), part(1), part(2)];
}

// Relative luminance, WCAG 2.2.
function luminance([red, green, blue]: Colour): number {
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

function linear(part: number): number {
  const share = part / 255;
  return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}
