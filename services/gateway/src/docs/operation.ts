import { escaped } from '@parley/runtime/html';
import { codeBlock, jsonBlock } from './code.ts';
import { type DescribedOperation, type Description, nameOf } from './description.ts';
import { fieldItem, fieldList } from './fields.ts';
import { phrase, prose } from './markdown.ts';

export interface PlacedOperation {
  method: string;
  path: string;
  operation: DescribedOperation;
}

type Components = Description['components'];

const credentials: Record<string, string> = {
  key: 'API key',
  person: 'session of a person',
  session: 'session token',
};

/** Returns the section of an operation: its request and answer side by side. */
export function operationSection(
  { method, path, operation }: PlacedOperation,
  components: Components,
): string {
  const { operationId, summary, description = '', security } = operation;
  const needed = security.flatMap((one) => Object.keys(one)).map((name) => credentials[name] ?? name);
  return `<section class="operation" id="${operationId}" aria-labelledby="${operationId}-title">
<h3 id="${operationId}-title">${phrase(summary)} <a class="anchor" href="#${operationId}" aria-label="Link to ${escaped(summary)}">#</a></h3>
<p class="route"><span class="method ${method}">${method.toUpperCase()}</span> <code>${escaped(path)}</code></p>
${prose(description)}
${needed.length === 0 ? '' : `<p class="note">Credentials: <a href="#credentials">${needed.join(', ')}</a></p>`}
<div class="pair">
<div><h4>Request</h4>${requestOf(operation, components)}</div>
<div><h4>Response</h4>${answerOf(operation, components)}</div>
</div>
</section>`;
}

function requestOf(operation: DescribedOperation, components: Components): string {
  const { parameters, requestBody, 'x-codeSamples': samples = [] } = operation;
  const own = parameters.filter((one) => 'name' in one);
  const common = parameters.filter((one) => '$ref' in one).map(({ $ref }) => nameOf($ref));
  const body = requestBody?.content['application/json'];
  const listed = (['path', 'query', 'header'] as const).map((place) => {
    const items = own
      .filter((one) => one.in === place)
      .map((one) => fieldItem(one.name, one, components.schemas));
    return titled(`${place[0]?.toUpperCase()}${place.slice(1)} parameters`, wrapped(items));
  });
  return [
    ...samples.map(({ label, source }) => codeBlock(source, label, label.toLowerCase())),
    ...(samples.length === 0 && body ? [jsonBlock(body.example, 'Body')] : []),
    ...listed,
    titled('Body', fieldList(body?.schema, components.schemas)),
    links('Header fields', common, 'request'),
  ].join('');
}

function answerOf({ responses }: DescribedOperation, components: Components): string {
  const success = responses[200];
  const json = success && 'content' in success ? success.content?.['application/json'] : undefined;
  const content = (success && 'content' in success && success.content) || {};
  const streams = Object.entries(content).filter(([type]) => type !== 'application/json');
  const envelope = json?.schema.properties ?? {};
  const headers = success && 'headers' in success ? Object.keys(success.headers ?? {}) : [];
  const inline = Object.entries(responses).filter(
    ([status, one]) => status !== '200' && 'description' in one,
  );
  return [
    json ? jsonBlock(json.example, '200 OK') : '',
    ...streams.map(([type, one]) => codeBlock(String(one?.example), `200 OK, ${type}`, 'shell')),
    ...['data', 'meta'].map((name) =>
      opened(`Fields of <code>${name}</code>`, fieldList(envelope[name], components.schemas)),
    ),
    wrapped(
      inline.map(
        ([status, one]) => `<li>${status}: ${escaped('description' in one ? one.description : '')}</li>`,
      ),
    ),
    opened('Errors', errorsOf(responses, components)),
    links('Header fields', headers, 'response'),
  ].join('');
}

function errorsOf(responses: DescribedOperation['responses'], { responses: named }: Components): string {
  const items = Object.entries(responses).flatMap(([status, one]) => {
    if (!('$ref' in one) || status === '304') return [];
    const narrowed = named[nameOf(one.$ref)]?.content?.['application/json']?.schema.allOf?.[1];
    const type = typeof narrowed === 'object' ? narrowed.properties?.['type'] : undefined;
    const types = typeof type === 'object' ? (type.enum ?? []) : [];
    const links = types.map((name) => `<a href="#error-${name}"><code>${name}</code></a>`).join(', ');
    return [`<li>${status} ${links}</li>`];
  });
  return wrapped(items);
}

function links(title: string, names: string[], place: 'request' | 'response'): string {
  if (names.length === 0) return '';
  const linked = names.map((name) => `<a href="#${place}-${name}"><code>${name}</code></a>`).join(', ');
  return `<p class="note">${title}: ${linked}</p>`;
}

function titled(title: string, list: string): string {
  return list === '' ? '' : `<h5>${title}</h5>${list}`;
}

function opened(title: string, list: string): string {
  return list === '' ? '' : `<details class="part"><summary>${title}</summary>${list}</details>`;
}

function wrapped(items: string[]): string {
  return items.length === 0 ? '' : `<ul class="fields">${items.join('')}</ul>`;
}
