import manifest from '../package.json' with { type: 'json' };

/** `PARLEY_VERSION`, which a build may set, or the version of the sources. */
export const version = process.env['PARLEY_VERSION'] || manifest.version;
