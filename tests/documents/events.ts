import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { eventExamples } from '@parley/contracts/event-examples';
import type { EventName } from '@parley/contracts/event-names';
import { eventKinds } from '../../services/gateway/src/api/webhooks/events.ts';
import { withGenerated } from './generated-part.ts';
import { wrapped } from './wrapped.ts';

const root = resolve(import.meta.dirname, '../..');

/** Returns docs/events.md with the catalogue of the bus, made of the protocol's comments. */
export const eventsDocument = (page: string): string => withGenerated(page, ofBus());

/** Returns docs/webhooks.md with the catalogue of webhooks, made of the API. */
export const webhooksDocument = (page: string): string => withGenerated(page, ofWebhooks());

const keysOf = (name: EventName): string[] => Object.keys(eventExamples[name]);

/** Returns a line for each event: when it is raised, and what `data` is. */
function ofWebhooks(): string {
  const bases = {
    'the interaction': keysOf('InteractionCreated'),
    'the webhook': ['id', 'url', 'isActive', 'event'],
  };
  return eventKinds
    .flatMap(({ name, description }) => {
      const keys = keysOf(name);
      const base = Object.entries(bases).find(([, fields]) => fields.every((field) => keys.includes(field)));
      const others = keys.filter((key) => !base?.[1].includes(key)).map((key) => `\`${key}\``);
      const data = [...(base ? [base[0]] : []), ...others].join(', ');
      return wrapped(`- **\`${name}\`**: ${description}. \`data\`: ${data}.`);
    })
    .join('\n');
}

function ofBus(): string {
  const protocol = globSync('proto/parley/events/v1/*.proto', { cwd: root })
    .map((file) => readFileSync(join(root, file), 'utf8'))
    .join('\n');
  const types = readFileSync(join(root, 'packages/contracts/src/gen/event-types.ts'), 'utf8');
  const pairs = [...types.matchAll(/subject: '(.+)',\s+message: (\w+),/g)];
  return pairs.flatMap(([, subject = '', message = '']) => entryOf(subject, message, protocol)).join('\n');
}

/** Returns the lines of a type: its subject, when it is raised, and its fields. */
function entryOf(subject: string, name: string, protocol: string): string[] {
  const declared = new RegExp(`((?:^//.*\\n)+)message ${name} \\{\\n([^}]*)\\}`, 'm').exec(protocol);
  if (!declared) throw new Error(`the protocol has no comment and message for ${name}`);
  const [, comment = '', body = ''] = declared;
  const fields = [...body.matchAll(/((?:^ +\/\/.*\n)*) +[\w.]+ (\w+) = \d+;/gm)].map(
    ([, meaning = '', field]) => {
      const text = prose(meaning).replace(/\.$/, '');
      return text ? `\`${field}\` (${text})` : `\`${field}\``;
    },
  );
  return wrapped(`- **\`${subject}\`**, \`${name}\`: ${prose(comment)} Fields: ${fields.join(', ')}.`);
}

const prose = (comment: string): string =>
  comment
    .replace(/^ *\/\/ ?/gm, ' ')
    .replace(/\s+/g, ' ')
    .trim();
