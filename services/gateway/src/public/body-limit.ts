import { publicBodyBytesMax } from '../http/body.ts';

/** The limit of bodies of public calls, for descriptions. Calls with an API key have a larger one. */
export const bodyLimit = `The body has at most ${publicBodyBytesMax / 1024} KiB.`;
