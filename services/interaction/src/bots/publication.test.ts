import { AppError } from '@parley/runtime/errors';
import { describe, expect, it } from 'vitest';
import { runAtOnce } from '@parley/bot/slices';
import { readPublication } from './publication.ts';

const publicationOf = (text: string) => runAtOnce(readPublication(text));

const sample: Record<string, unknown> = {
  schemaVersion: 1,
  key: 'greeting',
  name: 'Greeting',
  type: 'Hello',
  typeLabel: 'A friendly hello',
  context: [{ name: 'place' }],
  steps: [{ id: 'hi', kind: 'end', text: { en: 'Hello', fr: 'Bonjour' } }],
};

describe('readPublication', () => {
  it('has the same digest for any spelling of the definition', () => {
    const written = publicationOf(JSON.stringify(sample));
    const turned = publicationOf(
      JSON.stringify(Object.fromEntries(Object.entries(sample).toReversed()), null, 2),
    );
    expect(turned.digest).toBe(written.digest);
    const elsewhere = { $schema: './bot-v1.schema.json', ...sample };
    expect(publicationOf(JSON.stringify(elsewhere))).toMatchObject({
      digest: written.digest,
      text: JSON.stringify(elsewhere),
    });
    expect(written.digest).toMatch(/^[0-9a-f]{64}$/);
  });

  it('has another digest for another definition', () => {
    const other = { ...sample, name: 'Another name' };
    expect(publicationOf(JSON.stringify(other)).digest).not.toBe(
      publicationOf(JSON.stringify(sample)).digest,
    );
  });

  it('uses the type as label by default', () => {
    const { typeLabel: _, ...plain } = sample;
    expect(publicationOf(JSON.stringify(plain)).bot.typeLabel).toBe(sample['type']);
  });

  it.each(['', 'no json', '{"a":', 'null', '[]', '{}'])('rejects %j with faults', (text) => {
    try {
      publicationOf(text);
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(AppError);
      expect((error as AppError).faults?.length).toBeGreaterThan(0);
    }
  });
});
