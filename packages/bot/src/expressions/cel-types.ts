/** The CEL types that values have; `dyn` where the type is not known. */
export type CelType = 'string' | 'int' | 'double' | 'bool' | 'list<string>' | 'map<string, string>' | 'dyn';
/** A value in an expression: `int` is a bigint, `double` a number. */
export type CelValue = CelScalar | readonly string[] | ReadonlyMap<string, string>;
export type CelScalar = string | bigint | number | boolean;
export const celVariables = [
  'answers',
  'context',
  'customer',
  'others',
  'event',
  'interaction',
  'evaluation',
] as const;
export type CelVariable = (typeof celVariables)[number];
/** The variables of expressions: the type of each, or its declared fields by type; some have fields themselves. */
export type CelNames = Partial<
  Record<CelVariable, CelType | Record<string, CelType | Record<string, CelType>>>
>;
/**
 * The values of the fields of `CelNames`; a field without an answer is absent. Maps, because objects have a prototype.
 */
export type CelBindings = Partial<
  Record<CelVariable, ReadonlyMap<string, CelValue | ReadonlyMap<string, CelValue>>>
>;
