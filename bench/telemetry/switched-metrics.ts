import type * as metrics from '@parley/runtime/metrics/metrics';
import { connectToSwitch } from './connect-to-switch.ts';

// Replaces `@parley/runtime/metrics` in a service. Records only while the switch is on. Observed metrics stay, because
// nothing collects them during the run.

type Metrics = typeof metrics;

const realUrl = new URL('../../packages/runtime/src/metrics/metrics.ts?real', import.meta.url).href;
const real = (await import(realUrl)) as Metrics;
const switchState = connectToSwitch(import.meta.url);

export const {
  startRecording,
  secondsBoundaries,
  gauge,
  observedCounter,
  observedGauge,
  observedUpDownCounter,
} = real;
export const isRecording: Metrics['isRecording'] = () => switchState.isOn && real.isRecording();

export const histogram: Metrics['histogram'] = (declared) => {
  const { definition, record } = real.histogram(declared);
  return {
    definition,
    record: (seconds, attributes) => {
      if (switchState.isOn) record(seconds, attributes);
    },
  };
};

export const counter: Metrics['counter'] = (declared) => {
  const { definition, add } = real.counter(declared);
  return {
    definition,
    add: (attributes, value) => {
      if (switchState.isOn) add(attributes, value);
    },
  };
};
