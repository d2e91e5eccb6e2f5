import { isTemplateLocale, templateIds, templateLocales, templateOf } from '@parley/bot/templates';
import { type Fault, invalidRequest } from '@parley/runtime/errors';

/** The fields of a body that names a template. */
const fields = ['template', 'key', 'name', 'locale'];

/**
 * Returns the text of the definition that a body makes of a template. The service checks `key` and `name`. 400 for a
 * template or a language that does not exist, and for other fields.
 */
export function definitionFrom(body: Readonly<Record<string, unknown>>): string {
  const { template, locale = 'en', ...given } = body;
  const found = templateOf(template, isTemplateLocale(locale) ? locale : 'en');
  const faults: Fault[] = Object.keys(given)
    .filter((name) => !fields.includes(name))
    .map((name) => ({ pointer: `/${name}`, detail: 'Is not allowed beside template' }));
  if (!found) faults.push({ pointer: '/template', detail: `Must be one of ${templateIds.join(', ')}` });
  if (!isTemplateLocale(locale)) {
    faults.push({ pointer: '/locale', detail: `Must be one of ${templateLocales.join(', ')}` });
  }
  if (!found || faults.length > 0) throw invalidRequest(faults);
  return JSON.stringify({ ...found.definition, ...given });
}
