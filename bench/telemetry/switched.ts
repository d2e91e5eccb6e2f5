import { connect } from 'node:net';
import type * as telemetry from '@parley/runtime/telemetry';
import * as absent from './absent.ts';
import { orders } from './order.ts';

// Replaces `@parley/runtime/telemetry` in a service by the real module or `absent.ts`, as the switch commands. The SDK,
// if the variables enable it, is always present.

export { SpanKind, SpanStatusCode } from '@opentelemetry/api';

type Telemetry = typeof telemetry;

const realUrl = new URL('../../packages/runtime/src/telemetry.ts?real', import.meta.url).href;
const real = (await import(realUrl)) as Telemetry;

let isOn = true;

export const { startTelemetry } = real;
export const inSpan: Telemetry['inSpan'] = (name, options, work) =>
  isOn ? real.inSpan(name, options, work) : absent.inSpan(name, options, work);
export const inSpans: Telemetry['inSpans'] = (name, options, traceparents, work) =>
  isOn ? real.inSpans(name, options, traceparents, work) : absent.inSpans(name, options, traceparents, work);
export const currentTraceparent: Telemetry['currentTraceparent'] = () =>
  isOn ? real.currentTraceparent() : absent.currentTraceparent();

// One command at a time. The answer to a command is the command itself.
const control = connect(Number(new URL(import.meta.url).searchParams.get('port')), '127.0.0.1');
control.unref().on('data', (order: Buffer) => {
  isOn = order[0] === orders.on;
  control.write(order);
});
