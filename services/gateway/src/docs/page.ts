import { setImmediate } from 'node:timers/promises';
import { escaped } from '@parley/runtime/html';
import { documentOf } from '../http/answer/page.ts';
import type { DescribedField, Description } from './description.ts';
import { fieldItem } from './fields.ts';
import type { Guide } from './guides.ts';
import { phrase, prose } from './markdown.ts';
import { operationSection, type PlacedOperation } from './operation.ts';
import { searchWordsOf } from './words.ts';

interface Section {
  id: string;
  title: string;
  html: string;
}

/**
 * Returns the reference as a page: quick start and guides, operations by tag, errors, header fields. Its contents link
 * to the other guides, too. The search of the page finds each by all of its words. Other work goes on between its
 * operations: all of them take most of a second.
 */
export async function referencePage(
  description: Description,
  quickStart: string,
  others: readonly Guide[],
): Promise<string> {
  const { info, tags, components } = description;
  const groups = tags.map(({ name, description: about }) => ({
    id: slug(name),
    title: name,
    about,
    operations: operationsOf(description).filter(({ operation }) => operation.tags.includes(name)),
  }));
  const guides = `${quickStart}\n\n${info.description}`.split(/^## /m).slice(1).map(guideOf);
  const appendix = [errorSection(components), fieldSection(components)];
  const placed = groups.map(
    ({ id, title, operations }) => `<h2><a href="#${id}">${escaped(title)}</a></h2>
<ul>${operations.map((one) => entryOf(one, components)).join('')}</ul>`,
  );
  const sections: string[] = [];
  for (const { id, title, about, operations } of groups) {
    const shown: string[] = [];
    for (const one of operations) {
      shown.push(operationSection(one, components));
      await setImmediate();
    }
    sections.push(`<section class="group" id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title">${escaped(title)}</h2>
<p>${phrase(about)}</p>
${shown.join('\n')}
</section>`);
  }
  const body = `${headerOf(info.title)}
<details class="menu" open><summary>Contents</summary>
<nav aria-label="Contents"><p id="found" role="status"></p>
<ul>${errorEntries(components)}</ul>
<ul>${guides.map(linkTo).join('')}</ul>
${placed.join('\n')}
<ul>${appendix.map(linkTo).join('')}</ul>
<h2><a href="guides">Guides</a></h2>
<ul>${others
    .filter(({ name }) => !name.startsWith('runbooks/'))
    .map(guideEntry)
    .join('')}</ul>
</nav></details>
<main id="reference" tabindex="-1">
<h1>${escaped(info.title)} API reference</h1>
${guides.map(sectionOf).join('\n')}
${sections.join('\n')}
${appendix.map(sectionOf).join('\n')}
</main>`;
  return documentOf({
    title: `${escaped(info.title)} API reference`,
    head: '<link rel="stylesheet" href="docs/reference.css">\n<script src="docs/reference.js"></script>',
    body,
  });
}

function headerOf(title: string): string {
  return `<a class="skip" href="#reference">Skip to the reference</a>
<header>
<p class="brand"><a href="#quick-start">${escaped(title)}</a> <span>API reference</span></p>
<search><label for="search">Search</label>
<input id="search" type="search" placeholder="Search operations, fields, errors and guides" autocomplete="off" aria-describedby="found"></search>
<div class="switches">
<button type="button" data-set="language" data-value="curl">curl</button>
<button type="button" data-set="language" data-value="typescript">TypeScript</button>
<button type="button" data-set="language" data-value="python">Python</button>
<button type="button" data-set="language" data-value="go">Go</button>
<button type="button" data-set="theme" data-value="dark">Dark</button>
<a href="openapi.json">OpenAPI</a>
</div>
</header>`;
}

function linkTo({ id, title, html }: Section): string {
  const words = uniqueWords(html.replaceAll(/<[^>]*>/g, ' '));
  return `<li data-words="${words}"><a href="#${id}">${escaped(title)}</a></li>`;
}

function operationsOf({ paths, webhooks }: Description): PlacedOperation[] {
  const inPaths = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method, path, operation })),
  );
  const sent = Object.values(webhooks).flatMap((item) =>
    Object.entries(item).map(([method, operation]) => ({
      method,
      path: 'the URL of your webhook',
      operation,
    })),
  );
  return [...inPaths.sort((a, b) => rankOf(a) - rankOf(b)), ...sent];
}

const methods = ['get', 'post', 'patch', 'delete'];

/** Orders collections before resources, and these before their parts. */
function rankOf({ method, path }: PlacedOperation): number {
  return path.split('/').length * methods.length + methods.indexOf(method);
}

/** Returns an entry of the contents. The search also finds it by path, parameters, all fields and errors. */
function entryOf(
  { method, path, operation }: PlacedOperation,
  components: Description['components'],
): string {
  const { operationId, summary } = operation;
  const words = [operationId, path, ...searchWordsOf(operation, components)].join(' ');
  return `<li data-words="${escaped(words)}"><a href="#${operationId}"><span class="method ${method}">${method}</span>
<span>${phrase(summary)}</span></a></li>`;
}

/** Returns entries that only the search shows: one for each error. */
function errorEntries({ examples }: Description['components']): string {
  const types = Object.entries(examples).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return types
    .map(
      ([type, { summary }]) =>
        `<li hidden data-words="${escaped(`error ${summary}`)}"><a href="#error-${type}"><code>${type}</code></a></li>`,
    )
    .join('');
}

function guideEntry({ name, title, markdown }: Guide): string {
  return `<li data-words="${uniqueWords(markdown)}"><a href="guides/${name}">${escaped(title)}</a></li>`;
}

/** Returns each word of a text once, for an attribute. */
function uniqueWords(text: string): string {
  return escaped(
    [...new Set(text.toLowerCase().match(/[\p{L}\p{N}_][\p{L}\p{N}_.-]*[\p{L}\p{N}_]/gu))].join(' '),
  );
}

function guideOf(text: string): Section {
  const [title = ''] = text.split('\n', 1);
  return { id: slug(title), title, html: prose(text.slice(title.length)) };
}

function errorSection({ examples }: Description['components']): Section {
  const byStatus = Object.entries(examples).sort(([, a], [, b]) => a.value.code - b.value.code);
  const rows = byStatus.map(
    ([type, { summary, value }]) =>
      `<tr id="error-${type}"><td>${value.code}</td><td><code>${type}</code></td><td>${phrase(summary)}</td></tr>`,
  );
  const html = `<table><thead><tr><th scope="col">Status</th><th scope="col"><code>type</code></th><th scope="col">When</th></tr></thead>
<tbody>${rows.join('\n')}</tbody></table>`;
  return { id: 'errors', title: 'Errors', html };
}

function fieldSection({ parameters, headers, schemas }: Description['components']): Section {
  const list = (place: string, fields: Record<string, DescribedField>): string =>
    Object.entries(fields)
      .map(([name, field]) =>
        fieldItem(name, { ...field, required: false }, schemas).replace('<li>', `<li id="${place}-${name}">`),
      )
      .join('');
  const html = `<h3>Of requests</h3><ul class="fields">${list('request', parameters)}</ul>
<h3>Of responses</h3><ul class="fields">${list('response', headers)}</ul>`;
  return { id: 'header-fields', title: 'Header fields', html };
}

function sectionOf({ id, title, html }: Section): string {
  return `<section class="guide" id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title">${escaped(title)}</h2>
${html}</section>`;
}

function slug(title: string): string {
  return title.toLowerCase().replaceAll(/\W+/g, '-');
}
