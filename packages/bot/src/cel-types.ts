/** The CEL types that answers have; `dyn` where the type is not known. */
export type CelType = 'string' | 'int' | 'double' | 'bool' | 'list<string>' | 'dyn';
/** A value in an expression: `int` is a bigint, `double` a number. */
export type CelValue = CelScalar | readonly string[];
/** A value that is no list. */
export type CelScalar = string | bigint | number | boolean;
/** The declared fields of each variable, by type; some have fields themselves. */
export type CelNames = Record<
  'answers' | 'context' | 'customer',
  Record<string, CelType | Record<string, CelType>>
>;
/**
 * The values of those fields; a field without an answer is absent. Maps, because objects have a prototype.
 */
export type CelBindings = Record<
  keyof CelNames,
  ReadonlyMap<string, CelValue | ReadonlyMap<string, CelValue>>
>;
