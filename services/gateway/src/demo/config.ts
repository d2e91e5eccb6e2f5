import { httpUrl, loadConfig, optional } from '@parley/runtime/config/config';
import { z } from 'zod';
import { type Config, readConfig } from '../config.ts';
import { type RequestContext, send } from '../http/answer/request-context.ts';
import type { Resource } from '../http/answer/resource.ts';
import type { Additions } from '../service.ts';
import { demoResources } from './resources.ts';

const schema = z
  .object({
    DOCS_EXAMPLES_FILE: optional(z.string()),
    DEMO_FILE: optional(z.string()),
    TRACES_URL: optional(httpUrl),
  })
  .transform((env) => ({
    docsExamplesFile: env.DOCS_EXAMPLES_FILE,
    /** Undefined: no demo. */
    demoFile: env.DEMO_FILE,
    /** The server that shows traces. Undefined: no traces. */
    tracesUrl: env.TRACES_URL?.replace(/\/+$/, ''),
  }));

export type DemoConfig = Config & z.output<typeof schema>;

/** Throws a ConfigError. */
export function readDemoConfig(env: NodeJS.ProcessEnv): DemoConfig {
  return { ...readConfig(env), ...loadConfig(schema, env) };
}

export function additionsOf({ docsExamplesFile, demoFile, tracesUrl, landingUrl }: DemoConfig): Additions {
  return {
    docsExamplesFile,
    resourcesOf: (peers, now) => [
      ...(demoFile === undefined ? [] : demoResources({ file: demoFile, landingUrl, peers, now })),
      ...(tracesUrl === undefined ? [] : traceResources(tracesUrl)),
    ],
  };
}

/** Returns redirects to the server of a local run that shows traces. `url` is its origin. */
function traceResources(url: string): Resource[] {
  const show = async (context: RequestContext): Promise<void> => {
    send(context, 303, '', { Location: url + context.request.url, 'Cache-Control': 'no-store' });
  };
  return ['/traces', '/traces/:traceId'].map((path) => ({ path, show }));
}
