// Definitions of the attacker's bots. Each asks for two long texts, and then again and again for a short one.

const armsMax = 19;

/** Returns a name that no other bot has. */
let made = 0;
export function nextBotKey(): string {
  made += 1;
  return `noise-${process.pid}-${made}`;
}

/** Builds a definition with this share of the work that nothing limits: 1, 1/2, 1/4 and so on. */
export type BuildBot = (key: string, share: number) => object;

/** A bot whose every answer evaluates conditions that join and search long texts: 150 of them in some 60 KB. */
export const conditionsBot: BuildBot = (key, share) => {
  const sum = (terms: number): string => Array.from({ length: terms }, () => 'answers.a').join('+');
  const condition = `(${sum(18)}).indexOf(${sum(15)}+'x') >= 0`;
  const arms = Math.ceil(8 * armsMax * share);
  return repeatingBot(key, branches(Math.ceil(arms / armsMax), condition, Math.min(arms, armsMax)));
};

/** A bot whose every answer computes values that join long texts: 50 of them. */
export const valuesBot: BuildBot = (key, share) => {
  const names = Array.from({ length: Math.ceil(50 * share) }, (_, number) => `v${number}`);
  const joined = Array.from({ length: 40 }, () => 'answers.a').join('+');
  const set = {
    id: 'values',
    kind: 'set',
    evaluation: Object.fromEntries(names.map((name) => [name, joined])),
  };
  const evaluation = Object.fromEntries(names.map((name) => [name, {}]));
  return { ...repeatingBot(key, [set]), evaluation };
};

/** A bot whose every answer fills long texts in: 15 times. */
export const textsBot: BuildBot = (key, share) => {
  const text = '{{answers.a}} '.repeat(250);
  const length = Math.ceil(15 * share);
  const says = Array.from({ length }, (_, number) => ({ id: `say${number}`, kind: 'say', text }));
  return repeatingBot(key, says);
};

/** A bot whose pattern needs many steps for each character of an answer. */
export const patternBot: BuildBot = (key, share) =>
  repeatingBot(key, [], {
    pattern: '(x?[a-z ]?){80}.*(y?[a-z ]?){80}z?',
    maxLength: Math.floor(4_000 * share),
  });

/** A definition with many conditions; `bytes` is about its size. Beyond 64 KiB it cannot be published. */
export function manyConditions(key: string, bytes: number): object {
  const condition = `answers.a == '${'x'.repeat(300)}${Math.random()}'`;
  return repeatingBot(key, branches(Math.floor(bytes / (armsMax * (condition.length + 30))), condition));
}

/** A definition of about 60 KB, whose every condition is invalid. */
export function faultyBot(key: string): object {
  return repeatingBot(key, branches(45, "answers.missing.startsWith(1) && unknown('x')"));
}

function branches(count: number, condition: string, arms = armsMax): object[] {
  return Array.from({ length: count }, (_, number) => ({
    id: `branch${number}`,
    kind: 'branch',
    next: [
      ...Array.from({ length: arms }, () => ({ if: condition, goto: 'end' })),
      { else: number + 1 < count ? `branch${number + 1}` : 'again' },
    ],
  }));
}

function repeatingBot(key: string, steps: readonly object[], rule: object = {}): object {
  const [first = { id: 'again' }] = steps as { id: string }[];
  const ask = (id: string, next?: object) => ({
    id,
    kind: 'ask',
    text: 'What else?',
    input: { type: 'longText', ...rule },
    ...next,
  });
  return {
    schemaVersion: 1,
    key,
    name: 'Noise',
    type: 'Noise',
    steps: [
      ask('a'),
      ...steps,
      ask('again', { next: [{ if: "answers.again == 'end'", goto: 'end' }, { else: first.id }] }),
      { id: 'end', kind: 'end', text: 'Thank you!' },
    ],
  };
}
