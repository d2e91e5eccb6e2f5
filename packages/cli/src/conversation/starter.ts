import type { BotDefinition } from '@parley/bot/definition';

/** Returns the default name of a bot in this file: the name of the file in words. */
export function defaultName(fileName: string): string {
  const words = stemOf(fileName)
    .replaceAll(/[\s_-]+/g, ' ')
    .trim();
  return words.charAt(0).toUpperCase() + words.slice(1) || 'New bot';
}

/** Returns a small valid bot. Its key is derived from the name of its file. */
export function starterOf(fileName: string, name: string, schema: string): BotDefinition {
  const key = stemOf(fileName)
    .toLowerCase()
    .replaceAll(/[^a-z0-9_-]+/g, '-')
    .replace(/^[^a-z0-9]+/, '')
    .slice(0, 64);
  return {
    $schema: schema,
    schemaVersion: 1,
    key: key || 'new-bot',
    name,
    type: 'Feedback',
    context: [{ name: 'productName', default: 'our service' }],
    evaluation: { rating: {}, reason: { pii: true } },
    steps: [
      { id: 'hello', kind: 'say', text: 'Hi {{customer.firstName|there}}!' },
      {
        id: 'rating',
        kind: 'ask',
        text: 'How do you like {{context.productName}}?',
        input: { type: 'rating', labels: { low: 'Not at all', high: 'Very much' } },
        evaluation: 'rating',
        retry: { text: 'A number from 1 to 5, please.' },
        next: [{ if: 'answers.rating <= 3', goto: 'reason' }, { else: 'thanks' }],
      },
      {
        id: 'reason',
        kind: 'ask',
        text: 'What could we do better?',
        input: { type: 'longText' },
        required: false,
        evaluation: 'reason',
      },
      { id: 'thanks', kind: 'end', text: 'Thank you for your time!' },
    ],
  };
}

function stemOf(fileName: string): string {
  return fileName.replace(/\.json$/i, '');
}
