import { publicBodyBytesMax } from '../http/body.ts';

/** What a description says of the body of a public call: it is smaller than those under an API key. */
export const bodyLimit = `The body has at most ${publicBodyBytesMax / 1024} KiB.`;
