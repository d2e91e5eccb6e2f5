import type { Case } from './cases.ts';
import { openConnection } from '../load/connection.ts';
import type { Subject } from '../setup/subject.ts';

/** Throws unless all subjects return the same 200 for the same request, except for fields that vary. */
export async function requireEqualAnswers(subjects: readonly Subject[], one: Case): Promise<void> {
  const [first] = subjects;
  if (!first) return;
  // Created for one of them: random parts of a request are the same for all.
  const [request = ''] = await one.requests(first, 1, 0);
  const answers = await Promise.all(subjects.map(({ port }) => exchange(port, request)));
  const shown = answers.map((answer) => without(answer, one.varying));
  for (const [index, answer] of shown.entries()) {
    const place = difference(shown[0], answer);
    if (place === undefined) continue;
    throw new Error(`${one.title}: ${first.name} and ${subjects[index]?.name} differ at ~${place}`);
  }
}

function exchange(port: number, request: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const connection = openConnection(port, {
      onAnswer: (status, answer) => {
        connection.close();
        const text = answer.toString('utf8');
        if (status === 200) resolve(JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4)));
        else reject(new Error(`the request\n${request}\ngot the answer\n${text}`));
      },
      onBroken: (reason) => reject(new Error(reason)),
    });
    connection.send(request);
  });
}

function without(value: unknown, names: readonly string[]): unknown {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((inner) => without(inner, names));
  const kept = Object.entries(value).filter(([name]) => !names.includes(name));
  return Object.fromEntries(kept.map(([name, inner]) => [name, without(inner, names)]));
}

/** Returns the first place where two JSON values differ, with both values. */
function difference(a: unknown, b: unknown, path = ''): string | undefined {
  if (Object.is(a, b)) return undefined;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) {
    return `${path}: ${JSON.stringify(a)} and ${JSON.stringify(b)}`;
  }
  const fields = new Map(Object.entries(a));
  const others = new Map(Object.entries(b));
  for (const name of new Set([...fields.keys(), ...others.keys()])) {
    const place = difference(fields.get(name), others.get(name), `${path}/${name}`);
    if (place !== undefined) return place;
  }
  return undefined;
}
