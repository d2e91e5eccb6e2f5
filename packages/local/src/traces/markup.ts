import { escaped } from '@parley/runtime/html';
import { serviceNames } from '@parley/contracts/services';
import type { Span } from './otlp.ts';

/** Returns a duration with three significant digits: `0.42 ms`, `12.3 ms`, `1.5 s`. */
export function durationText(ms: number): string {
  if (ms < 1_000) return `${Number(ms.toPrecision(3))} ms`;
  return `${Number((ms / 1_000).toPrecision(3))} s`;
}

/** Returns the time of day of an instant in UTC, with milliseconds. */
export function timeText(ms: number): string {
  return new Date(ms).toISOString().slice(11, 23);
}

/** Returns the name of a span, without the package of an RPC, as HTML that wraps after slashes. */
export function nameOf({ name }: Pick<Span, 'name'>): string {
  return escaped(name.replace(/^parley\.\w+\.v\d+\./, '')).replaceAll('/', '/<wbr>');
}

/** The number of colours in traces.css. */
const colours = 8;

/** Returns the name of a service, without `parley-`, in its colour. */
export function badge(service: string): string {
  return `<span class="badge ${colourClass(service)}">${escaped(shortName(service))}</span>`;
}

/** Returns the class for the colour of a service. Others are grey. */
export function colourClass(service: string): string {
  const place = (serviceNames as readonly string[]).indexOf(shortName(service));
  return place < 0 ? 's-other' : `s-${place % colours}`;
}

function shortName(service: string): string {
  return service.replace(/^parley-/, '');
}
