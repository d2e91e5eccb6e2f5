import manifest from '../package.json' with { type: 'json' };

/** The version of Parley: `PARLEY_VERSION`, which a build may set, or that of the sources. */
export const version = process.env['PARLEY_VERSION'] || manifest.version;
