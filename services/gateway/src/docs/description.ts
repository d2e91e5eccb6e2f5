import type { JsonSchema } from '../openapi/json-schema.ts';
import type { CodeSample } from '../openapi/samples.ts';

// The parts of the OpenAPI document that the page reads.

interface Content {
  'application/json': Example;
}

interface Example {
  schema: JsonSchema;
  example?: unknown;
}

export interface DescribedField {
  description?: string;
  required?: boolean;
  schema: JsonSchema;
}

export interface DescribedParameter extends DescribedField {
  name: string;
  in: 'path' | 'query' | 'header';
}

interface DescribedResponse {
  description: string;
  headers?: Record<string, unknown>;
  content?: Partial<Record<string, Example>>;
}

/** An operation of a path, or a request to a webhook. */
export interface DescribedOperation {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  security: Record<string, unknown>[];
  parameters: (DescribedParameter | { $ref: string })[];
  requestBody?: { required: boolean; content: Content };
  responses: Record<string, DescribedResponse | { $ref: string }>;
  'x-codeSamples'?: CodeSample[];
}

export interface Description {
  info: { title: string; description: string };
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, DescribedOperation>>;
  webhooks: Record<string, Record<string, DescribedOperation>>;
  components: {
    parameters: Record<string, DescribedParameter>;
    headers: Record<string, DescribedField>;
    schemas: Record<string, JsonSchema>;
    responses: Record<string, DescribedResponse>;
    examples: Record<string, { summary: string; value: { code: number } }>;
  };
}

export function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}
