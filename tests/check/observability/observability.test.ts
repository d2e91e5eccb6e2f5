import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { findPromtool } from '@parley/testing/servers/promtool';
import { expect, test } from 'vitest';
import {
  dashboards,
  folder,
  queries,
  type Rule,
  ruleFiles,
  rules,
  ruleTests,
  runbooks,
  slos,
  testFiles,
} from './files.ts';
import { documentPaths } from '../../documents/all.ts';
import { faultsOf } from './query-faults.ts';

const execute = promisify(execFile);
const alerts = rules.flatMap(({ alert, ...rest }) => (alert ? [{ alert, ...rest }] : []));

/** An alert of a burn rate fires for each SLO. */
const isOfSlos = ({ expr }: Rule): boolean => expr.includes('slo:');

/** The alerts as they reach a person: an alert of a burn rate once for each SLO. */
const cases = alerts.flatMap(({ alert, labels = {}, annotations = {}, ...rest }) =>
  (isOfSlos(rest) ? slos.map((slo) => ({ slo })) : [{}]).map((own: Record<string, string>) => ({
    alertname: alert,
    labels: { ...labels, ...own },
    runbook: (annotations['runbook_url'] ?? '').replace('{{ $labels.slo }}', own['slo'] ?? ''),
  })),
);

test('promtool accepts the rules, and their tests pass', async (context) => {
  const promtool = await findPromtool().catch((error: Error) => error);
  if (promtool instanceof Error) {
    if (process.env['CI']) throw promtool;
    return context.skip(`there is no promtool: ${promtool.message}`);
  }
  for (const args of [
    ['check', 'rules', ...ruleFiles],
    ['test', 'rules', ...testFiles],
  ]) {
    await execute(promtool, args, { cwd: folder }).catch(({ stdout, stderr }) =>
      expect.fail(stdout + stderr),
    );
  }
});

test.each(cases)(
  '$alertname $labels has a case that fires and one that does not',
  ({ alertname, labels }) => {
    const results = ruleTests
      .filter((each) => each.alertname === alertname)
      .map(({ exp_alerts = [] }) =>
        exp_alerts.some(({ exp_labels }) =>
          Object.entries(labels).every(([name, value]) => exp_labels[name] === value),
        ),
      );
    expect(new Set(results)).toEqual(new Set([true, false]));
  },
);

test('each alert has a runbook, and each runbook is of an alert', () => {
  const named = cases.map(({ runbook }) => runbook);
  const existing = runbooks.map((path) => `deploy/observability/${path}`);
  expect([...new Set(named)].toSorted()).toEqual(existing.toSorted());
});

test('queries of rules, dashboards and runbooks use only metrics and labels that exist', () => {
  expect(queries.length).toBeGreaterThan(100);
  const faults = queries.flatMap(({ place, expr, shown }) =>
    faultsOf(expr, shown).map((fault) => `${place}: ${fault}`),
  );
  expect(faults).toEqual([]);
});

test.each([
  ['sum(rate(parley_webhook_attempt_total[5m]))', 'no metric parley_webhook_attempt_total'],
  ['up{jib="x"}', 'no label jib of up'],
  ['sum by (state) (parley_consumer_lag)', 'no label state of parley_consumer_lag'],
  ['slo:parley_burn_rate:1h / on (shop) slo:parley_burn_rate:5m', 'no label shop of'],
  ['sum(parley_consumer_lag', 'syntax error at 23'],
  ['http_server_request_duration_seconds_count{http_route=~"/v2/.+"}', 'no route /v2/.+'],
  ['parley_webhook_first_attempt_delay_seconds_bucket{le="9"}', 'no bucket 9 of'],
])('the check of queries rejects %s', (expr, fault) => {
  expect(faultsOf(expr)).toEqual([expect.stringContaining(fault)]);
});

test('the check of queries rejects labels in a legend or a summary that the query does not have', () => {
  expect(faultsOf('sum by (durable) (parley_consumer_lag)', ['durable', 'durible'])).toEqual([
    'no label durible to show',
  ]);
});

test('each file of a dashboard is generated', () => {
  const generated = documentPaths.map((path) => path.replace('deploy/observability/', ''));
  expect(dashboards.length).toBeGreaterThan(0);
  expect(generated).toEqual(expect.arrayContaining(dashboards.map(({ path }) => path)));
});
