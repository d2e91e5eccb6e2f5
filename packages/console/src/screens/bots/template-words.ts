/** A text of a bot, as customers see it, with what they can choose. */
export interface Words {
  id: string;
  text: string;
  choices: string[];
}

interface Step {
  id: string;
  text?: unknown;
  input?: { choices?: { label: unknown }[]; labels?: Record<string, unknown> };
}

/** Returns the texts of a definition in a language, in the order of its steps. */
export function templateWords(definition: Readonly<Record<string, unknown>>, locale: string): Words[] {
  const steps = (definition['steps'] ?? []) as Step[];
  return steps.flatMap(({ id, text, input }) => {
    const shown = textIn(text, locale);
    if (shown === '') return [];
    const labels = [
      ...(input?.choices ?? []).map(({ label }) => label),
      ...Object.values(input?.labels ?? {}),
    ];
    return [{ id, text: shown, choices: labels.map((label) => textIn(label, locale)) }];
  });
}

/** A placeholder is shown as its fallback, or as its name. */
function textIn(text: unknown, locale: string): string {
  const given = typeof text === 'object' && text !== null ? (text as Record<string, unknown>)[locale] : text;
  if (typeof given !== 'string') return '';
  return given.replaceAll(
    /\{\{([^|}]*)\|?([^}]*)\}\}/g,
    (_, name: string, fallback: string) => fallback || `[${name}]`,
  );
}
