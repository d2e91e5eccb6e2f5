import '@parley/client';

declare module '@parley/client' {
  // The gateway serves the console, so both are of one release.
  interface AnswerEnums {
    areClosed: true;
  }
}
