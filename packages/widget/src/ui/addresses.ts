/** A piece of what is said: words, or an address that `href` leads to. */
export interface Piece {
  text: string;
  href?: string;
}

// What ends a sentence behind an address does not belong to it, nor does what would turn the order of its characters.
const address = /https:\/\/[^\s\p{Cf}<>"'()[\]{}]*[^\s\p{Cf}<>"'()[\]{}.,;:!?…]/gu;

/**
 * Finds the https addresses in a text. There is no other markup: what a bot says holds names and answers, and a link
 * whose words are not its address could pass for another.
 */
export function findAddresses(source: string): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const { 0: found, index } of source.matchAll(address)) {
    const href = hrefOf(found);
    if (href === undefined) continue;
    if (index > at) pieces.push({ text: source.slice(at, index) });
    pieces.push({ text: found, href });
    at = index + found.length;
  }
  if (at < source.length) pieces.push({ text: source.slice(at) });
  return pieces;
}

function hrefOf(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // Credentials in an address serve to look like another site.
  return url?.protocol === 'https:' && url.username === '' && url.password === '' ? url.href : undefined;
}
