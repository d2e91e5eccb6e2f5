/** The largest message between two of our processes: room for all interactions of one customer. */
export const messageBytesMax = 64 * 1024 * 1024;

/**
 * The largest gRPC message that a server takes, whoever sends it: a batch of frames, which has some 200 KB at most, or
 * what a tool asks by a plain call.
 */
export const grpcMessageBytesMax = 1024 * 1024;
