import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

/** An answer of the API as a test has seen it. */
export interface SeenAnswer {
  method: string;
  /** As it was sent, with the query. */
  path: string;
  status: number;
  headers: Headers;
  body: string;
}

/** An OpenAPI document, as far as answers are checked against it. */
export interface ApiDocument {
  'x-limits': Record<string, unknown>;
  paths: Record<string, Record<string, Operation>>;
  components: {
    headers: Record<string, Header>;
    responses: Record<string, Response>;
    schemas: Record<string, ObjectSchema>;
  };
}

/** One operation, as tests read it. Header parameters are references. */
export interface Operation {
  operationId: string;
  security: Record<string, unknown>[];
  parameters: { name?: string; in?: string; example?: string }[];
  requestBody?: {
    content: {
      'application/json': { schema: ObjectSchema | { $ref: string }; example: Record<string, unknown> };
    };
  };
  responses: Record<string, Response | { $ref: string }>;
}

interface ObjectSchema {
  properties?: Record<string, unknown>;
}

interface Response {
  headers?: Record<string, { $ref: string }>;
  content?: Record<string, unknown>;
}

interface Header {
  required?: boolean;
}

/** Holds answers against an OpenAPI document. */
export interface Contract {
  /** What is wrong with an answer to any path of the API; undefined when nothing is. */
  faultOf(answer: SeenAnswer): string | undefined;
}

// Fields that mean something wherever they stand: an answer may have them only where they are described.
const telling = ['ETag', 'Idempotency-Replayed', 'Retry-After', 'WWW-Authenticate'];
const documentId = 'openapi';

/** What is answered to a request that is for no operation. */
const outside = {
  'unknown-route': 404,
  'method-not-allowed': 405,
  'malformed-path': 400,
  'malformed-request': 400,
  'request-timeout': 408,
  'headers-too-large': 431,
};

/** The contract that the document is. Schemas are compiled as they are needed. */
export function createContract(document: ApiDocument): Contract {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
  ajv.addSchema(document, documentId, false, false);
  const compiled = new Map<string, ValidateFunction>();
  const schemaFault = (pointer: string, value: unknown): string | undefined => {
    const validate = compiled.get(pointer) ?? ajv.compile({ $ref: `${documentId}#${pointer}` });
    compiled.set(pointer, validate);
    return validate(value) ? undefined : ajv.errorsText(validate.errors, { dataVar: '' });
  };
  const paths = Object.keys(document.paths).map((path) => ({ path, pattern: patternOf(path) }));

  const headerFault = (described: NonNullable<Response['headers']>, headers: Headers): string | undefined => {
    const undescribed = telling.find((name) => headers.has(name) && !(name in described));
    if (undescribed) return `${undescribed} is not described`;
    for (const [name, { $ref }] of Object.entries(described)) {
      const value = headers.get(name);
      if (value === null) {
        if (document.components.headers[name]?.required) return `${name} is missing`;
        continue;
      }
      const pointer = `${$ref.slice(1)}/schema`;
      const fault = schemaFault(pointer, value) && schemaFault(pointer, Number(value));
      if (fault) return `${name}: ${fault}`;
    }
    return undefined;
  };

  const bodyFault = (pointer: string, response: Response, { method, headers, body }: SeenAnswer) => {
    if (method === 'HEAD' || !response.content) return body === '' ? undefined : 'has a body';
    if (headers.get('content-type') !== 'application/json; charset=utf-8') return 'is not JSON by its type';
    return schemaFault(`${pointer}/content/application~1json/schema`, JSON.parse(body));
  };

  const describedFault = (answer: SeenAnswer, path: string, operation: Operation, method: string) => {
    const { status } = answer;
    const described = operation.responses[status];
    if (!described) return `the status is not described; the body is ${answer.body.slice(0, 500)}`;
    const isReference = '$ref' in described;
    const response = isReference ? document.components.responses[nameOf(described.$ref)] : described;
    const pointer = isReference
      ? described.$ref.slice(1)
      : `/paths/${path.replaceAll('~', '~0').replaceAll('/', '~1')}/${method}/responses/${status}`;
    if (!response) return `there is no ${pointer}`;
    return headerFault(response.headers ?? {}, answer.headers) ?? bodyFault(pointer, response, answer);
  };

  const outsideFault = (answer: SeenAnswer, type: keyof typeof outside) => {
    const types = [
      type,
      'malformed-path',
      'malformed-request',
      'request-timeout',
      'headers-too-large',
    ] as const;
    const expected = types.filter((one) => outside[one] === answer.status);
    if (answer.method === 'HEAD') return expected.length > 0 ? undefined : `must be ${type}`;
    const body = JSON.parse(answer.body) as { type?: unknown };
    const isExpected = expected.some((one) => one === body.type);
    return isExpected
      ? schemaFault('/components/schemas/Failure', body)
      : `must be ${type}, and is ${answer.body.slice(0, 500)}`;
  };

  const anyFault = (answer: SeenAnswer): string | undefined => {
    const [pathname = ''] = answer.path.split('?');
    const found = paths.find(({ pattern }) => pattern.test(pathname));
    const method = answer.method === 'HEAD' ? 'get' : answer.method.toLowerCase();
    // A preflight, also of a call that will be told that there is no such route.
    const isPreflight = method === 'options' && pathname.startsWith('/public/v1/') && answer.status === 204;
    if (isPreflight) return answer.body === '' ? undefined : 'has a body';
    if (!found) return outsideFault(answer, 'unknown-route');
    const operation = document.paths[found.path]?.[method];
    if (operation) return describedFault(answer, found.path, operation, method);
    if (answer.status === 405 && !answer.headers.has('allow')) return 'Allow is missing';
    return outsideFault(answer, 'method-not-allowed');
  };

  return {
    faultOf: (answer) => {
      const fault = anyFault(answer);
      return fault && `${answer.method} ${answer.path} → ${answer.status}: ${fault}`;
    },
  };
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`);
}

function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}
