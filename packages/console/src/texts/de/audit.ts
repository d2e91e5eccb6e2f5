import type { Texts } from '../texts.tsx';

export const audit: Texts['audit'] = {
  action: 'Aktion',
  actor: 'Wer',
  actorTypes: { key: 'API-Schlüssel', person: 'Person', portal: 'Portal-Link', operator: 'Betreiber' },
  changed: (field, before, after) => `${field} war ${before}, ist jetzt ${after}`,
  changes: 'Änderungen',
  clearFilters: 'Filter entfernen',
  filters: 'Filter des Protokolls',
  none: 'Kein Ereignis passt',
  noneHow:
    'Jede Änderung durch einen Schlüssel, eine Person oder den Betreiber steht hier. Versuchen Sie andere Filter.',
  onlyOf: (name) => `Nur Ereignisse zu ${name}`,
  requestId: 'Anfrage',
  target: 'Objekt',
  title: 'Protokoll',
};
