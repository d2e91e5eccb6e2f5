import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { alertLimits, certificateLimit, otherAlerts } from '@parley/contracts/deployment-limits';
import { expect, test } from 'vitest';

// The screen of operators and the alerts have the same limits and runbooks.

const observability = resolve(import.meta.dirname, '../../deploy/observability');
const rules = readFileSync(resolve(observability, 'rules/causes.yaml'), 'utf8');

/** Returns the expressions of the alerts with a name. */
function expressionsOf(alert: string): string[] {
  const blocks = rules.split('- alert: ').filter((block) => block.startsWith(`${alert}\n`));
  return blocks.map((block) => /expr: (?:\|\n)?([^]*?)\n {8}\w+:/.exec(block)?.[1]?.trim() ?? '');
}

const nameOf = (metric: string): string => `${metric.replaceAll('.', '_')}(?:_seconds)?`;

test.each(Object.values(alertLimits))('$alert', ({ alert, metric, comparison, value }) => {
  const pattern = new RegExp(`${nameOf(metric)}(?:\\{[^}]*\\})?\\)? ${comparison} ${value}$`);
  expect(expressionsOf(alert)).toContainEqual(expect.stringMatching(pattern));
});

test('the certificates of calls', () => {
  const { alert, metric, days } = certificateLimit;
  const pattern = new RegExp(`^${nameOf(metric)} - time\\(\\) < ${days} \\* 86400$`);
  expect(expressionsOf(alert)).toContainEqual(expect.stringMatching(pattern));
});

test('each problem has a runbook', () => {
  const limits = [...Object.values(alertLimits), certificateLimit].map(({ alert }) => alert);
  for (const alert of [...limits, ...Object.values(otherAlerts)]) {
    expect(existsSync(resolve(observability, `runbooks/${alert}.md`)), alert).toBe(true);
    expect(expressionsOf(alert).length, alert).toBeGreaterThan(0);
  }
});
