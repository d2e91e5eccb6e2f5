/** A piece of a text: words, or an address that `href` links to. */
export interface Piece {
  text: string;
  href?: string;
}

// Punctuation at the end of a sentence does not belong to an address, nor do characters that change the text direction.
const address = /https:\/\/[^\s\p{Cf}<>"'()[\]{}]*[^\s\p{Cf}<>"'()[\]{}.,;:!?…]/gu;

/**
 * Finds the https addresses in a text. There is no other markup: a bot's text contains names and answers, and a link
 * with other words than its address could deceive.
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
  try {
    const { protocol, username, password, href } = new URL(text);
    // Credentials in an address can imitate another site.
    return protocol === 'https:' && username === '' && password === '' ? href : undefined;
  } catch {
    return undefined;
  }
}
