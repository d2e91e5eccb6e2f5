/** The largest message of a call. It must hold all interactions of a customer. */
export const messageBytesMax = 64 * 1024 * 1024;

/**
 * The largest gRPC message that a server accepts: a batch of frames, which has at most about 200 KB, or a request of a
 * tool.
 */
export const grpcMessageBytesMax = 1024 * 1024;

/** The largest texts of faults in the status of a unary call. Clients accept trailers of 8 KiB, as base64. */
export const statusFaultsBytesMax = 2 * 1024;

/**
 * The age at which a client replaces its connection at the latest; random from two thirds of it. So a replaced
 * certificate or token is out of use after that time, and load spreads over new replicas behind a balancer.
 */
export const connectionMsMax = 30 * 60_000;
