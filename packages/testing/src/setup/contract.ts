import { pointerTo } from '@parley/runtime/json/json-pointer';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

/** An answer of the API. */
export interface SeenAnswer {
  method: string;
  /** With the query. */
  path: string;
  status: number;
  headers: Headers;
  body: string;
}

/** The parts of an OpenAPI document that tests read. */
export interface ApiDocument {
  'x-limits': Record<string, unknown>;
  paths: Record<string, Record<string, Operation>>;
  components: {
    headers: Record<string, Header>;
    responses: Record<string, Response>;
    schemas: Record<string, Schema>;
  };
}

/** One operation. Header parameters are references. */
export interface Operation {
  operationId: string;
  security: Record<string, unknown>[];
  parameters: {
    name?: string;
    in?: string;
    required?: boolean;
    example?: string;
    schema?: Schema | { $ref: string };
  }[];
  requestBody?: {
    content: {
      'application/json': { schema: Schema | { $ref: string }; example: Record<string, unknown> };
    };
  };
  responses: Record<string, Response | { $ref: string }>;
}

/** A JSON Schema, as tests read it. */
export interface Schema {
  properties?: Record<string, unknown>;
  enum?: string[];
  minimum?: number;
}

interface Response {
  headers?: Record<string, { $ref: string }>;
  content?: Record<string, unknown>;
}

interface Header {
  required?: boolean;
}

// Fields with the same meaning everywhere. An answer may have them only where they are described.
const specialFields = ['ETag', 'Idempotency-Replayed', 'Retry-After', 'WWW-Authenticate'];
const documentId = 'openapi';

/** The errors of requests that match no operation: of their paths and methods, and of any request. */
const outside = { 'unknown-route': 404, 'method-not-allowed': 405 };
const malformed = {
  'malformed-path': 400,
  'malformed-request': 400,
  'request-timeout': 408,
  'headers-too-large': 431,
};

/** Checks answers against an OpenAPI document. Compiles schemas at their first use. */
export class Contract {
  readonly #document: ApiDocument;
  readonly #ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
  readonly #compiled = new Map<string, ValidateFunction>();
  readonly #paths: { path: string; pattern: RegExp }[];

  constructor(document: ApiDocument) {
    this.#document = document;
    this.#ajv.addSchema(document, documentId, false, false);
    this.#paths = Object.keys(document.paths).map((path) => ({ path, pattern: patternOf(path) }));
  }

  /** Returns the fault of an answer to any path of the API; undefined when it matches the document. */
  faultOf(answer: SeenAnswer): string | undefined {
    const fault = this.#faultOf(answer);
    return fault && `${answer.method} ${answer.path} → ${answer.status}: ${fault}`;
  }

  #faultOf(answer: SeenAnswer): string | undefined {
    const [pathname = ''] = answer.path.split('?');
    const found = this.#paths.find(({ pattern }) => pattern.test(pathname));
    const method = answer.method === 'HEAD' ? 'get' : answer.method.toLowerCase();
    // Unknown routes answer preflights, too.
    const isPreflight = method === 'options' && pathname.startsWith('/public/v1/') && answer.status === 204;
    if (isPreflight) return answer.body === '' ? undefined : 'has a body';
    if (!found) return this.#outsideFault(answer, 'unknown-route');
    const operation = this.#document.paths[found.path]?.[method];
    if (operation) return this.#describedFault(answer, found.path, operation, method);
    if (answer.status === 405 && !answer.headers.has('allow')) return 'Allow is missing';
    return this.#outsideFault(answer, 'method-not-allowed');
  }

  #describedFault(answer: SeenAnswer, path: string, operation: Operation, method: string) {
    const { status } = answer;
    const described = operation.responses[status];
    if (!described) return `the status is not described; the body is ${answer.body.slice(0, 500)}`;
    const { responses } = this.#document.components;
    const isReference = '$ref' in described;
    const response = isReference ? responses[nameOf(described.$ref)] : described;
    const pointer = isReference
      ? described.$ref.slice(1)
      : pointerTo(['paths', path, method, 'responses', status]);
    if (!response) return `there is no ${pointer}`;
    return this.#headerFault(response, answer.headers) ?? this.#bodyFault(pointer, response, answer);
  }

  #headerFault({ headers: described = {} }: Response, headers: Headers): string | undefined {
    const undescribed = specialFields.find((name) => headers.has(name) && !(name in described));
    if (undescribed) return `${undescribed} is not described`;
    for (const [name, { $ref }] of Object.entries(described)) {
      const value = headers.get(name);
      if (value === null) {
        if (this.#document.components.headers[name]?.required) return `${name} is missing`;
        continue;
      }
      const pointer = `${$ref.slice(1)}/schema`;
      const fault = this.#schemaFault(pointer, value) && this.#schemaFault(pointer, Number(value));
      if (fault) return `${name}: ${fault}`;
    }
    return undefined;
  }

  #bodyFault(pointer: string, response: Response, { method, headers, body }: SeenAnswer) {
    if (method === 'HEAD' || !response.content) return body === '' ? undefined : 'has a body';
    // A stream has no schema.
    const [type = ''] = (headers.get('content-type') ?? '').split(';');
    if (!('application/json' in response.content) && type in response.content) return undefined;
    if (headers.get('content-type') !== 'application/json; charset=utf-8')
      return 'the content type is not JSON';
    return this.#schemaFault(`${pointer}/content/application~1json/schema`, JSON.parse(body));
  }

  #outsideFault({ method, status, body }: SeenAnswer, type: keyof typeof outside) {
    const statuses = Object.entries({ [type]: outside[type], ...malformed });
    const expected: unknown[] = statuses.filter(([, one]) => one === status).map(([name]) => name);
    if (method === 'HEAD') return expected.length > 0 ? undefined : `must be ${type}`;
    const failure = JSON.parse(body) as { type?: unknown };
    return expected.includes(failure.type)
      ? this.#schemaFault('/components/schemas/Failure', failure)
      : `must be ${type}, and is ${body.slice(0, 500)}`;
  }

  #schemaFault(pointer: string, value: unknown): string | undefined {
    const validate = this.#compiled.get(pointer) ?? this.#ajv.compile({ $ref: `${documentId}#${pointer}` });
    this.#compiled.set(pointer, validate);
    return validate(value) ? undefined : this.#ajv.errorsText(validate.errors, { dataVar: '' });
  }
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`);
}

function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}
