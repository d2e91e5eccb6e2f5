import { counter } from './metrics.ts';

export const settingsRefused = counter({
  name: 'parley.settings.refused',
  unit: '{check}',
  description: 'Checks that found a changed file of a setting unusable; its last good value stays in use',
  attributes: ['setting'],
});
