/**
 * Says how many values an enum of an answer has. An application that is always as new as its service closes them:
 * `declare module '@parley/client' { interface AnswerEnums { areClosed: true } }`.
 */
export interface AnswerEnums {}

/** The value of an enum in an answer. The service may be newer than this package and have values that it lacks. */
export type Open<Value extends string> = AnswerEnums extends { areClosed: true }
  ? Value
  : Value | (string & {});

/** The values of an enum of an answer that this package has, such as `Known<Interaction['status']>`. */
export type Known<Value extends string> = Value extends unknown
  ? string extends Value
    ? never
    : Value
  : never;
