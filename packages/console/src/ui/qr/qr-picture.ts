/** The drawing of a QR code: how many units wide it is, and the dark parts as the path of an SVG. */
export interface QrPicture {
  size: number;
  dark: string;
}

/** Reads a QR code of the API. The console draws it itself: its page shows no pictures from memory. */
export function readQr(svg: string): QrPicture {
  const size = /viewBox="0 0 (\d+) \d+"/.exec(svg)?.[1];
  const dark = /<path d="([Mhvz\d -]+)"/.exec(svg)?.[1];
  if (size === undefined || dark === undefined) throw new Error('the answer is no QR code');
  return { size: Number(size), dark };
}
