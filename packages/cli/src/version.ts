import manifest from '../package.json' with { type: 'json' };

/** The version of Parley. */
export const { version } = manifest;
