import appointment from '../../templates/appointment.json' with { type: 'json' };
import candidateScreening from '../../templates/candidate-screening.json' with { type: 'json' };
import ces from '../../templates/ces.json' with { type: 'json' };
import churn from '../../templates/churn.json' with { type: 'json' };
import csat from '../../templates/csat.json' with { type: 'json' };
import eventRegistration from '../../templates/event-registration.json' with { type: 'json' };
import feedback360 from '../../templates/feedback-360.json' with { type: 'json' };
import leadQualification from '../../templates/lead-qualification.json' with { type: 'json' };
import nps from '../../templates/nps.json' with { type: 'json' };
import onboarding from '../../templates/onboarding.json' with { type: 'json' };
import productFeedback from '../../templates/product-feedback.json' with { type: 'json' };
import supportTriage from '../../templates/support-triage.json' with { type: 'json' };

/** A valid definition to begin with. Its texts are in all languages of `templateLocales`. */
export interface BotTemplate {
  /** The `key` of the definition. */
  id: string;
  name: string;
  description: string;
  definition: Record<string, unknown>;
}

/** The first one is the language of the files. */
export const templateLocales = ['en', 'de'] as const;

type TemplateLocale = (typeof templateLocales)[number];

/** What a file has besides the definition: its name and description in German. */
interface TemplateFile {
  de: { name: string; description: string };
  definition: Record<string, unknown> & { key: string; name: string; description: string };
}

const files: readonly TemplateFile[] = [
  nps,
  csat,
  ces,
  churn,
  onboarding,
  productFeedback,
  appointment,
  eventRegistration,
  candidateScreening,
  supportTriage,
  leadQualification,
  feedback360,
];

const byId = new Map(files.map((file) => [file.definition.key, file]));

export const templateIds = [...byId.keys()];

export function isTemplateLocale(locale: unknown): locale is TemplateLocale {
  return templateLocales.some((known) => known === locale);
}

/** Undefined if there is no such template. `locale` is the language of name and description, and of the bot. */
export function templateOf(id: unknown, locale: TemplateLocale): BotTemplate | undefined {
  const file = byId.get(String(id));
  if (!file) return undefined;
  const { name, description } = locale === 'de' ? file.de : file.definition;
  return {
    id: file.definition.key,
    name,
    description,
    definition: { ...file.definition, name, description, locale },
  };
}
