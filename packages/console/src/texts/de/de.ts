import type { Texts } from '../texts.tsx';
import { access } from './access.ts';
import { audit } from './audit.ts';
import { botImport } from './bot-import.ts';
import { bots } from './bots.ts';
import { common, navigation, overview, problems, search } from './common.ts';
import { customers } from './customers.ts';
import { editor } from './editor.ts';
import { interactions } from './interactions.ts';
import { invitations } from './invitations.ts';
import { links } from './links.ts';
import { names } from './names.ts';
import { operator } from './operator.ts';
import { portal } from './portal.ts';
import { settings } from './settings.ts';
import { steps } from './steps.ts';
import { translations } from './translations.ts';
import { webhooks } from './webhooks.ts';
import { webhookSettings } from './webhook-settings.ts';

export const de: Texts = {
  access,
  audit,
  botImport,
  bots,
  common,
  customers,
  editor,
  interactions,
  invitations,
  links,
  names,
  navigation,
  operator,
  overview,
  portal,
  problems,
  search,
  settings,
  steps,
  translations,
  webhooks,
  webhookSettings,
};
