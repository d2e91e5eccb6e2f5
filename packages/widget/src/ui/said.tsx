import { findAddresses } from './addresses.ts';

/** A bot's text, with its addresses as links; never as HTML. */
export function Said({ words }: { words: string }) {
  return (
    <>
      {findAddresses(words).map(({ text, href }) =>
        href === undefined ? (
          text
        ) : (
          <a href={href} target="_blank" rel="noopener noreferrer">
            {text}
          </a>
        ),
      )}
    </>
  );
}
