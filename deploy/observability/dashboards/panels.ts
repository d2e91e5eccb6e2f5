import type { Builder } from '@grafana/grafana-foundation-sdk/cog';
import {
  GraphThresholdsStyleConfigBuilder,
  GraphThresholdsStyleMode,
  ReduceDataOptionsBuilder,
  SortOrder,
  TooltipDisplayMode,
  VizLegendOptionsBuilder,
  VizTooltipOptionsBuilder,
} from '@grafana/grafana-foundation-sdk/common';
import {
  type Panel,
  ThresholdsConfigBuilder,
  ThresholdsMode,
} from '@grafana/grafana-foundation-sdk/dashboard';
import { DataqueryBuilder, PromQueryFormat } from '@grafana/grafana-foundation-sdk/prometheus';
import { PanelBuilder as StatBuilder } from '@grafana/grafana-foundation-sdk/stat';
import { PanelBuilder as TableBuilder } from '@grafana/grafana-foundation-sdk/table';
import { PanelBuilder as TimeseriesBuilder } from '@grafana/grafana-foundation-sdk/timeseries';

/** A PromQL expression and the legend of its series, such as `{{job}}`. */
type Query = [expr: string, legend: string];

interface Options {
  title: string;
  /** What the panel shows, and what is bad. */
  description: string;
  /** Grafana's id of the unit, such as `s`, `reqps`, `percentunit`. */
  unit?: string;
  /** Width in columns of 24. */
  span?: number;
}

interface GraphOptions extends Options {
  /** Draws a line at this value and red above it: an objective, or the threshold of an alert. */
  limit?: number;
  /** Shows exemplars: points with the ids of sampled traces. */
  exemplars?: boolean;
}

interface FigureOptions extends Options {
  /** Red below this value, else green. */
  least: number;
}

const source = { type: 'prometheus', uid: '${datasource}' };

/** Draws the series of the queries over time; 8 columns wide by default. */
export function graph(options: GraphOptions, ...queries: Query[]): Builder<Panel> {
  const { title, description, unit = 'short', span = 8, limit, exemplars = false } = options;
  const panel = new TimeseriesBuilder()
    .title(title)
    .description(description)
    .datasource(source)
    .unit(unit)
    .min(0)
    .span(span)
    .height(8)
    .fillOpacity(8)
    .legend(new VizLegendOptionsBuilder().showLegend(true))
    .tooltip(new VizTooltipOptionsBuilder().mode(TooltipDisplayMode.Multi).sort(SortOrder.Descending))
    .targets(queries.map((query, index) => rangeQuery(query, index).exemplar(exemplars)));
  if (limit === undefined) return panel;
  return panel
    .thresholds(colors('green', limit, 'red'))
    .thresholdsStyle(new GraphThresholdsStyleConfigBuilder().mode(GraphThresholdsStyleMode.Dashed));
}

/** Shows the newest value of each series of the query; 24 columns wide by default. */
export function figures(options: FigureOptions, query: Query): Builder<Panel> {
  const { title, description, unit = 'short', span = 24, least } = options;
  return new StatBuilder()
    .title(title)
    .description(description)
    .datasource(source)
    .unit(unit)
    .span(span)
    .height(5)
    .noValue('no data')
    .reduceOptions(new ReduceDataOptionsBuilder().calcs(['lastNotNull']))
    .thresholds(colors('red', least, 'green'))
    .targets([rangeQuery(query, 0)]);
}

/** Lists the labels of the series that the query returns now; 12 columns wide by default. */
export function table(options: Options, expr: string): Builder<Panel> {
  const { title, description, span = 12 } = options;
  return new TableBuilder()
    .title(title)
    .description(description)
    .datasource(source)
    .span(span)
    .height(8)
    .noValue('none')
    .targets([new DataqueryBuilder().expr(expr).instant().format(PromQueryFormat.Table).refId('A')])
    .withTransformation({ id: 'organize', options: { excludeByName: { Time: true, Value: true } } });
}

const rangeQuery = ([expr, legend]: Query, index: number): DataqueryBuilder =>
  new DataqueryBuilder()
    .expr(expr)
    .legendFormat(legend)
    .range()
    .refId(String.fromCharCode(65 + index));

const colors = (below: string, limit: number, above: string): ThresholdsConfigBuilder =>
  new ThresholdsConfigBuilder().mode(ThresholdsMode.Absolute).steps([
    { value: null, color: below },
    { value: limit, color: above },
  ]);
