/** Of V8 alone. `@parley/bot` sets it. */
interface ErrorConstructor {
  stackTraceLimit: number;
}
