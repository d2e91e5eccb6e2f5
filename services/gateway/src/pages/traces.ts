import { type RequestContext, send } from '../http/answer/request-context.ts';
import type { Resource } from '../http/answer/resource.ts';

/** Returns redirects to the server of a local run that shows traces. `url` is its origin. */
export function traceResources(url: string): Resource[] {
  const show = async (context: RequestContext): Promise<void> => {
    send(context, 303, '', { Location: url + context.request.url, 'Cache-Control': 'no-store' });
  };
  return ['/traces', '/traces/:traceId'].map((path) => ({ path, show }));
}
