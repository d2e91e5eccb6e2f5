import manifest from '../package.json' with { type: 'json' };

/** The version of Parley that this is part of. */
export const { version } = manifest;
