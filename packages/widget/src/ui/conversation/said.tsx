import { findAddresses } from './addresses.ts';

/** A bot's text, with its addresses as links; never as HTML. */
export function Said({ words }: { words: string }) {
  return (
    <>
      {findAddresses(words).map(({ text, href }) =>
        href === undefined ? (
          text
        ) : (
          // A link with other words than its address could deceive.
          <a href={href} target="_blank" rel="noopener noreferrer" translate={false}>
            {text}
          </a>
        ),
      )}
    </>
  );
}
