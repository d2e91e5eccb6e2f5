import { ValueType } from '@opentelemetry/api';
import { millisToHrTime } from '@opentelemetry/core';
import { emptyResource } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  type DataPoint,
  DataPointType,
  type Histogram as HistogramValue,
  type HistogramMetricData,
  type MetricProducer,
} from '@opentelemetry/sdk-metrics';
import { type Exemplar, type Histogram, histograms } from './histograms.ts';

/** A point of a histogram, with the exemplars of its buckets. Buckets without one are empty. */
export interface HistogramPoint extends DataPoint<HistogramValue> {
  exemplars: readonly (Exemplar | undefined)[];
}

/** Hands our histograms to a reader of the SDK. Their values are cumulative, whichever temporality it prefers. */
export const histogramProducer: MetricProducer = {
  collect: async () => {
    const metrics = histograms()
      .map(metricData)
      .filter(({ dataPoints }) => dataPoints.length > 0);
    const scopeMetrics = [{ scope: { name: 'parley' }, metrics }];
    return { resourceMetrics: { resource: emptyResource(), scopeMetrics }, errors: [] };
  },
};

function metricData({ declared, series }: Histogram): HistogramMetricData {
  const { name, unit, description, boundaries } = declared;
  const endTime = millisToHrTime(Date.now());
  const dataPoints = Array.from(
    series(),
    ({ attributes, startTime, sum, count, counts, exemplars }): HistogramPoint => ({
      attributes,
      startTime,
      endTime,
      value: { sum, count, buckets: { boundaries: [...boundaries], counts: [...counts] } },
      exemplars: [...exemplars],
    }),
  );
  return {
    descriptor: { name, unit, description, valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
    dataPointType: DataPointType.HISTOGRAM,
    dataPoints,
  };
}
