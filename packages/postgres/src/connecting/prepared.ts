import { type Compilable, type CompiledQuery, type Expression, type Kysely, ValueNode } from 'kysely';

/** The placeholders of a statement, by name: bound parameters that are filled when it runs. */
export type Placeholders<Values> = { readonly [Name in keyof Values]: Expression<Values[Name]> };

/**
 * Builds a statement once and runs it many times with different values. For hot statements: Kysely needs
 * about as long to build one as to run it. `build` must not read the values; it only inserts placeholders for
 * them. Returns the rows. Runs in the transaction of the given `db`, if any.
 */
export function prepared<Tables, Values extends object, Row>(
  build: (db: Kysely<Tables>, values: Placeholders<Values>) => Compilable<Row>,
): (db: Kysely<Tables>, values: Values) => Promise<Row[]> {
  let built: CompiledQuery<Row> | undefined;
  return async (db, values) => {
    built ??= build(db, placeholders<Values>()).compile();
    const parameters = built.parameters.map((one) =>
      one instanceof Placeholder ? values[one.name as keyof Values] : one,
    );
    const { rows } = await db.executeQuery<Row>({ ...built, parameters });
    return rows;
  };
}

/** Marks the position of a value in the parameters. */
class Placeholder {
  readonly name: string | symbol;

  constructor(name: string | symbol) {
    this.name = name;
  }
}

function placeholders<Values>(): Placeholders<Values> {
  return new Proxy({} as Placeholders<Values>, {
    get: (_, name): Expression<unknown> => ({
      expressionType: undefined,
      toOperationNode: () => ValueNode.create(new Placeholder(name)),
    }),
  });
}
