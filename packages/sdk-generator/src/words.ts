/** Returns `createToken` and `webhookId` as `create_token` and `webhook_id`. */
export function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).replace(/^_/, '');
}

/** Returns `createToken` as `CreateToken`. */
export function pascalCase(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** Returns `If-Match` as `ifMatch`, and `X-Request-Id` as `requestId`. */
export function optionName(header: string): string {
  const name = header.toLowerCase().replace(/^x-/, '');
  return name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** Returns the name of one item of a list: `workspaces` is `workspace`, `entries` is `entry`. */
export function singular(name: string): string {
  return name.replace(/ies$/, 'y').replace(/(?<!s)s$/, '');
}

/** Returns the text in lines of at most `width` characters. Paragraphs and lists keep their lines apart. */
export function wrapped(text: string, width: number): string[] {
  return text.split('\n\n').flatMap((paragraph, index) => {
    const lines = index > 0 ? ['', ''] : [''];
    for (const word of paragraph.split(/\s+/).filter(Boolean)) {
      const last = lines.at(-1) ?? '';
      if (last !== '' && last.length + 1 + word.length > width) lines.push(word);
      else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
    }
    return lines;
  });
}
