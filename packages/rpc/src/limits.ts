/** The largest message between two of our processes: room for all interactions of one customer. */
export const messageBytesMax = 64 * 1024 * 1024;
