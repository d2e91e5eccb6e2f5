import type * as metrics from '@parley/runtime/metrics';
import { obeySwitch } from './obey-switch.ts';

// What takes the place of `@parley/runtime/metrics` in a service: it records as the switch says. Metrics that are read
// at each collection stay, since nothing collects meanwhile.

type Metrics = typeof metrics;

const realUrl = new URL('../../packages/runtime/src/metrics.ts?real', import.meta.url).href;
const real = (await import(realUrl)) as Metrics;
const obeyed = obeySwitch(import.meta.url);

export const { startRecording, secondsBoundaries, gauge, observedCounter, observedGauge, observedNumber } =
  real;
export const isRecording: Metrics['isRecording'] = () => obeyed.isOn && real.isRecording();

export const histogram: Metrics['histogram'] = (declared) => {
  const { definition, record } = real.histogram(declared);
  return {
    definition,
    record: (seconds, attributes) => {
      if (obeyed.isOn) record(seconds, attributes);
    },
  };
};

export const counter: Metrics['counter'] = (declared) => {
  const { definition, add } = real.counter(declared);
  return {
    definition,
    add: (attributes, value) => {
      if (obeyed.isOn) add(attributes, value);
    },
  };
};
