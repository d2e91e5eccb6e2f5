import type * as telemetry from '@parley/runtime/telemetry/telemetry';
import * as absent from './absent.ts';
import { connectToSwitch } from './connect-to-switch.ts';

// Replaces `@parley/runtime/telemetry` in a service by the real module or `absent.ts`, as the switch commands. The SDK,
// if the variables enable it, is always present.

export { SpanKind, SpanStatusCode } from '@opentelemetry/api';

type Telemetry = typeof telemetry;

const realUrl = new URL('../../packages/runtime/src/telemetry/telemetry.ts?real', import.meta.url).href;
const real = (await import(realUrl)) as Telemetry;

const switchState = connectToSwitch(import.meta.url);

export const { startTelemetry } = real;
export const inSpan: Telemetry['inSpan'] = (name, options, work) =>
  switchState.isOn ? real.inSpan(name, options, work) : absent.inSpan(name, options, work);
export const inSpans: Telemetry['inSpans'] = (name, spans, work) =>
  switchState.isOn ? real.inSpans(name, spans, work) : absent.inSpans(name, spans, work);
export const currentTraceparent: Telemetry['currentTraceparent'] = () =>
  switchState.isOn ? real.currentTraceparent() : absent.currentTraceparent();
