import { fileResource, type Resource } from '../http/answer/resource.ts';

// Reads the file: importing the package would load the engine, which the gateway does not use.
const source = new URL('../../../../packages/bot/schema/bot-v1.schema.json', import.meta.url);

/**
 * Returns the JSON Schema of bot definitions at `/schemas/bot-v1.json`. Editors, also in browsers, load it by the
 * `$schema` of a bot.
 */
export function botSchemaResource(): Resource {
  return fileResource('/schemas/bot-v1.json', source, 'application/json; charset=utf-8', {
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Expose-Headers': 'ETag',
  });
}
