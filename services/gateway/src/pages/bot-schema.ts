import { fileResource, type Resource } from '../http/resource.ts';

// As a file and not by its package: that would bring the engine into the gateway, which runs no bot.
const source = new URL('../../../../packages/bot/schema/bot-v1.schema.json', import.meta.url);

/**
 * The JSON Schema of bot definitions at `/schemas/bot-v1.json`, the same bytes as its file. Editors load it from there by a
 * bot's `$schema`, those that run in a browser too.
 */
export function botSchemaResource(): Resource {
  return fileResource('/schemas/bot-v1.json', source, 'application/json; charset=utf-8', {
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Expose-Headers': 'ETag',
  });
}
