import { type Compilable, type CompiledQuery, type Expression, type Kysely, ValueNode } from 'kysely';

/** Stand-ins for the values of a statement, by name. */
export type StandIns<Values> = { readonly [Name in keyof Values]: Expression<Values[Name]> };

/**
 * A statement that is built once and run many times with other values: for hot ones, since building costs Kysely about
 * as much as running it costs all the rest. `build` may not look at the values: it only puts their stand-ins where they
 * go. Answers the rows. Runs in the transaction that it is given, or in none.
 */
export function prepared<Tables, Values extends object, Row>(
  build: (db: Kysely<Tables>, values: StandIns<Values>) => Compilable<Row>,
): (db: Kysely<Tables>, values: Values) => Promise<Row[]> {
  let built: CompiledQuery<Row> | undefined;
  return async (db, values) => {
    built ??= build(db, standIns<Values>()).compile();
    const parameters = built.parameters.map((one) =>
      one instanceof Place ? values[one.name as keyof Values] : one,
    );
    const { rows } = await db.executeQuery<Row>({ ...built, parameters });
    return rows;
  };
}

/** Where in the parameters a value goes. */
class Place {
  readonly name: string | symbol;

  constructor(name: string | symbol) {
    this.name = name;
  }
}

function standIns<Values>(): StandIns<Values> {
  return new Proxy({} as StandIns<Values>, {
    get: (_, name): Expression<unknown> => ({
      expressionType: undefined,
      toOperationNode: () => ValueNode.create(new Place(name)),
    }),
  });
}
