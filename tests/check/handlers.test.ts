import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';

// Which handler no test calls.

const root = resolve(import.meta.dirname, '../..');
const read = (...globs: string[]): { file: string; text: string }[] =>
  globSync(globs, { cwd: root }).map((file) => ({ file, text: readFileSync(resolve(root, file), 'utf8') }));
const textOf = (files: readonly { text: string }[]): string => files.map(({ text }) => text).join('\n');
const calls = (text: string, method: string): boolean => new RegExp(`\\b${method}\\(`).test(text);

/** The packages with the handlers of what every service serves. The others are in the service of their folder. */
const packages: Record<string, string> = {
  audit: 'packages/audit',
  events: 'packages/events',
  process: 'packages/rpc',
};
/** What calls a method under another name. */
const callers: Record<string, string> = { getProcessState: 'replicaStates' };

test('each method of a service is called by a test of that service', () => {
  const untested = read('proto/parley/*/v1/*.proto').flatMap(({ file, text }) => {
    const [, , name = ''] = file.split('/');
    const home = packages[name] ?? `services/${name}`;
    const sources = read(`${home}/src/**/*.ts`);
    const isTest = ({ file: source }: { file: string }): boolean => source.endsWith('.test.ts');
    const tests = textOf([...sources.filter(isTest), ...read(`${home}/tests/**/*.ts`)]);
    const handlers = sources.filter((source) => !isTest(source) && source.text.includes('Handlers'));
    const methods = [...text.matchAll(/^ +rpc (\w)(\w+)\(/gm)].map(
      ([, first = '', rest = '']) => first.toLowerCase() + rest,
    );
    return methods
      .filter((method) => !calls(tests, callers[method] ?? method))
      .map((method) => {
        const place = handlers.find((one) => new RegExp(`^ +${method}(?::|,$|\\()`, 'm').test(one.text));
        return `${method} in ${place?.file ?? home}`;
      });
  });
  expect(untested).toEqual([]);
});

test('each route of the gateway is called by a test, by its method of the client or by its path', () => {
  const tests = textOf(read('services/gateway/tests/**/*.ts', 'tests/**/*.ts'));
  const untested = read('services/gateway/src/api/**/*routes.ts').flatMap(({ file, text }) =>
    text.split(/\broute\(\{/).flatMap((route) => {
      const valueOf = (key: string): string | undefined =>
        new RegExp(`\\b${key}: '([^']+)'`).exec(route)?.[1];
      const operationId = valueOf('operationId');
      if (!operationId) return [];
      const method = valueOf('clientMethod')?.split('.').slice(-2).join('\\.');
      const isCalled = method ? calls(tests, method) : tests.includes(`${valueOf('path')}'`);
      return isCalled ? [] : [`${operationId} in ${file}`];
    }),
  );
  expect(untested).toEqual([]);
});
