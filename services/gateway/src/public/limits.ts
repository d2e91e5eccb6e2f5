/** The largest body of a call from a browser. */
export const browserBodyBytesMax = 16 * 1024;
