import { escaped } from '@parley/runtime/html';

// The tokens of the page's languages: comments, strings (before a colon: keys), numbers and words.
const token =
  /(?<comment>\/\/.*|(?<=^|\s)#.*)|(?<key>"(?:[^"\\\n]|\\.)*"(?=\s*:))|(?<string>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(?<word>\b(?:import|from|const|await|export|curl|true|false|null|nil|return)\b|(?<=\s)--[a-z]+)|(?<number>\b\d+(?:\.\d+)?\b)/gm;

/** Returns code as HTML with a class for each token. */
export function highlighted(source: string): string {
  let end = 0;
  const parts = Array.from(source.matchAll(token), (match) => {
    const [kind = '', text = ''] =
      Object.entries(match.groups ?? {}).find(([, found]) => found !== undefined) ?? [];
    const before = escaped(source.slice(end, match.index));
    end = match.index + text.length;
    return `${before}<span class="${kind}">${escaped(text)}</span>`;
  });
  return parts.join('') + escaped(source.slice(end));
}

/** Returns a block of code with a button that copies it. */
export function codeBlock(source: string, label: string, className = ''): string {
  return `<figure class="code ${className}"><figcaption>${escaped(label)}</figcaption>
<button type="button" class="copy" aria-label="Copy ${escaped(label)}">Copy</button>
<pre><code>${highlighted(source)}</code></pre></figure>`;
}

export function jsonBlock(value: unknown, label: string): string {
  return codeBlock(JSON.stringify(value, null, 2), label);
}
