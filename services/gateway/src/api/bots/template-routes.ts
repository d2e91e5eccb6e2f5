import { templateIds, templateLocales, templateOf } from '@parley/bot/templates';
import { z } from 'zod';
import { inWorkspace, type Route, route } from '../../http/server/route.ts';
import { exampleDefinition } from './routes.ts';

const template = z
  .strictObject({
    id: z.string().meta({ description: 'For `template` of a new bot', examples: ['nps'] }),
    name: z.string().meta({ examples: ['Net Promoter Score'] }),
    description: z.string().meta({ examples: ['Would customers recommend you, and why?'] }),
    definition: z.record(z.string(), z.unknown()).meta({
      description: 'A valid definition. It has its texts in all languages of the templates',
      examples: [exampleDefinition],
    }),
  })
  .meta({ id: 'BotTemplate' });

const listTemplates = route({
  method: 'GET',
  path: '/v1/workspaces/{workspaceId}/bot-templates',
  access: 'key',
  scope: 'bots:read',
  operationId: 'listBotTemplates',
  clientMethod: 'bots.listTemplates',
  tag: 'Bots',
  summary: 'List the templates of bots',
  params: inWorkspace,
  query: z.object({
    locale: z
      .enum(templateLocales)
      .default('en')
      .meta({ description: 'The language of names and descriptions, and the `locale` of the definitions' }),
  }),
  data: z.array(template),
  handle: async ({ query: { locale } }) => ({
    data: templateIds.flatMap((id) => templateOf(id, locale) ?? []),
  }),
});

export const botTemplateRoutes: Route[] = [listTemplates];
