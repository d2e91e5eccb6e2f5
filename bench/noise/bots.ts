// Definitions of the attacker's bots. Each asks for two long texts, and then again and again for a short one.

const armsMax = 19;

/** Returns a name that no other bot has. */
let made = 0;
export function nextBotKey(): string {
  made += 1;
  return `noise-${process.pid}-${made}`;
}

/** A bot whose every answer evaluates 150 conditions that join and search long texts: some 60 KB. */
export function conditionsBot(key: string): object {
  const sum = (terms: number): string => Array.from({ length: terms }, () => 'answers.a').join('+');
  const condition = `(${sum(18)}).indexOf(${sum(15)}+'x') >= 0`;
  return repeatingBot(key, branches(8, condition));
}

/** A bot whose every answer computes 50 values that join long texts. */
export function valuesBot(key: string): object {
  const names = Array.from({ length: 50 }, (_, number) => `v${number}`);
  const joined = Array.from({ length: 40 }, () => 'answers.a').join('+');
  const set = {
    id: 'values',
    kind: 'set',
    evaluation: Object.fromEntries(names.map((name) => [name, joined])),
  };
  const evaluation = Object.fromEntries(names.map((name) => [name, {}]));
  return { ...repeatingBot(key, [set]), evaluation };
}

/** A bot whose every answer fills long texts in 15 times. */
export function textsBot(key: string): object {
  const text = '{{answers.a}} '.repeat(250);
  const says = Array.from({ length: 15 }, (_, number) => ({ id: `say${number}`, kind: 'say', text }));
  return repeatingBot(key, says);
}

/** A bot whose pattern needs many steps for each character of an answer. */
export function patternBot(key: string): object {
  return repeatingBot(key, [], { pattern: '(x?[a-z ]?){80}.*(y?[a-z ]?){80}z?' });
}

/** A definition with many conditions; `bytes` is about its size. Beyond 64 KiB it cannot be published. */
export function manyConditions(key: string, bytes: number): object {
  const condition = `answers.a == '${'x'.repeat(300)}${Math.random()}'`;
  return repeatingBot(key, branches(Math.floor(bytes / (armsMax * (condition.length + 30))), condition));
}

/** A definition of about 60 KB, whose every condition is invalid. */
export function faultyBot(key: string): object {
  return repeatingBot(key, branches(45, "answers.missing.startsWith(1) && unknown('x')"));
}

function branches(count: number, condition: string): object[] {
  return Array.from({ length: count }, (_, number) => ({
    id: `branch${number}`,
    kind: 'branch',
    next: [
      ...Array.from({ length: armsMax }, () => ({ if: condition, goto: 'end' })),
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
