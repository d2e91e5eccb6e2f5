import type { Builder } from '@grafana/grafana-foundation-sdk/cog';
import {
  type Dashboard,
  DashboardBuilder,
  DashboardCursorSync,
  DashboardLinkBuilder,
  DashboardLinkType,
  DatasourceVariableBuilder,
  type Panel,
  QueryVariableBuilder,
  RowBuilder,
  VariableRefresh,
} from '@grafana/grafana-foundation-sdk/dashboard';

interface Board {
  /** The name of the file and, after `parley-`, Grafana's id of the dashboard. */
  name: string;
  title: string;
  description: string;
  rows: { title: string; panels: Builder<Panel>[] }[];
}

/**
 * Builds a dashboard with links to the others. Its variables are `datasource` and `job`, which selects services and is
 * a regular expression.
 */
export function board({ name, title, description, rows }: Board): Dashboard {
  const source = { type: 'prometheus', uid: '${datasource}' };
  const dashboard = new DashboardBuilder(`Parley / ${title}`)
    .uid(`parley-${name}`)
    .description(description)
    .tags(['parley'])
    .readonly()
    .refresh('30s')
    .time({ from: 'now-3h', to: 'now' })
    .tooltip(DashboardCursorSync.Crosshair)
    .link(
      new DashboardLinkBuilder('Parley').type(DashboardLinkType.Dashboards).tags(['parley']).keepTime(true),
    )
    .withVariable(new DatasourceVariableBuilder('datasource').label('Data source').type('prometheus'))
    .withVariable(
      new QueryVariableBuilder('job')
        .label('Service')
        .datasource(source)
        .query('label_values(target_info{job=~"parley-.+"}, job)')
        .refresh(VariableRefresh.OnTimeRangeChanged)
        .multi(true)
        .includeAll(true)
        .allValue('parley-.+'),
    );
  for (const row of rows) {
    dashboard.withRow(new RowBuilder(row.title));
    for (const panel of row.panels) dashboard.withPanel(panel);
  }
  const built = dashboard.build();
  // The SDK gives no ids. Links to a panel need them.
  for (const [index, panel] of (built.panels ?? []).entries()) panel.id = index + 1;
  return built;
}
