import { describe, expect, test } from 'vitest';
import {
  black,
  type Colour,
  contrast,
  readableOn,
  readColour,
  textOn,
  white,
  writeColour,
} from './contrast.ts';
import { grounds, palette, themeSheet } from './theme.ts';

const steps = [0, 51, 102, 153, 204, 255];
const colours = steps.flatMap((red) =>
  steps.flatMap((green) => steps.map((blue): Colour => [red, green, blue])),
);

describe('contrast', () => {
  test('is that of WCAG', () => {
    expect(contrast(black, white)).toBe(21);
    expect(contrast([119, 119, 119], white)).toBeCloseTo(4.48, 2);
  });

  test('of text on any colour is at least 4.5', () => {
    for (const colour of colours) expect(contrast(textOn(colour), colour)).toBeGreaterThanOrEqual(4.5);
  });

  test('leaves a readable colour unchanged, and moves others only as far as necessary', () => {
    expect(readableOn([0, 0, 153], white)).toEqual([0, 0, 153]);
    const yellow = readableOn([255, 204, 0], white);
    expect(contrast(yellow, white)).toBeGreaterThanOrEqual(4.5);
    expect(contrast(yellow, white)).toBeLessThan(5);
  });
});

describe('a theme', () => {
  test.each(Object.entries(grounds))('is sufficient on a %s ground with any accent', (_, ground) => {
    for (const accent of colours) {
      const { fill, onFill, ink, tint } = palette(accent, ground);
      expect(contrast(onFill, fill)).toBeGreaterThanOrEqual(4.5);
      expect(contrast(ink, ground)).toBeGreaterThanOrEqual(4.5);
      expect(contrast(ink, tint)).toBeGreaterThanOrEqual(4.5);
    }
  });

  test('parses short and long colours', () => {
    expect(readColour('#0af')).toEqual([0, 170, 255]);
    expect(readColour(' #00AAFF ')).toEqual([0, 170, 255]);
    expect(writeColour([0, 170, 255])).toBe('#00aaff');
  });

  test('allows only a colour and numbers in the style sheet', () => {
    const hostile = '#fff;} * { display: none } {';
    const sheet = themeSheet({ accent: hostile, radius: hostile as never, zIndex: hostile as never });
    expect(sheet).toBe(themeSheet({}));
  });

  test.each<['auto' | 'light' | 'dark', string]>([
    ['auto', 'light dark'],
    ['light', 'light'],
    ['dark', 'dark'],
  ])('of the scheme %s is for %s, for any scheme of the page', (colorScheme, schemes) => {
    expect(themeSheet({ colorScheme })).toContain(`;color-scheme:${schemes} !important`);
  });

  test.each([undefined, 'sepia', 'toString'])('of the scheme %s leaves the page’s own', (colorScheme) => {
    expect(themeSheet({ colorScheme: colorScheme as never })).toBe(themeSheet({}));
  });

  test.each([Number.NaN, null, undefined, ''])('ignores an invalid number (%s)', (none) => {
    const sheet = themeSheet({ radius: none as never, zIndex: none as never });
    expect(sheet).toContain('--radius:16px');
    expect(sheet).toContain('z-index:2147483000 ');
  });

  test.each([
    [{ radius: 0, zIndex: 0 }, '0px', '0'],
    [{ radius: 12, zIndex: -1.5 }, '12px', '-1'],
    [{ radius: -5, zIndex: 1e21 }, '0px', '2147483647'],
    [{ radius: 400, zIndex: Number.NEGATIVE_INFINITY }, '32px', '-2147483647'],
  ])('limits the numbers of %o as browsers do', (theme, radius, zIndex) => {
    const sheet = themeSheet(theme);
    expect(sheet).toContain(`--radius:${radius}`);
    expect(sheet).toContain(`z-index:${zIndex} `);
  });
});
