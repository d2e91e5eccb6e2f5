import { readdir, readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { escaped } from '@parley/runtime/html';
import { documentOf, iconPath } from '../http/answer/page.ts';
import { headingId, proseWithLinks } from './markdown.ts';

/** A guide: a Markdown file of the repository. */
export interface Guide {
  /** Below `/guides/`: `sdk`, `decisions/0001-rows-are-messages`. */
  name: string;
  /** Its path in the repository. */
  file: string;
  title: string;
  markdown: string;
}

const root = join(import.meta.dirname, '../../../..');

/** The guides that readers need first, in this order. The others follow by name. */
const first = [
  'bots',
  'console',
  'sdk',
  'client',
  'cli',
  'webhooks',
  'insight',
  'errors',
  'limits',
  'glossary',
  'operations',
];

/** The file of the guide to the command line, which is not among the others. Images do not have it. */
const cliFile = 'packages/cli/README.md';

/** Folders of guides by their names below `/guides/`. Problems of a deployment lead to the runbooks of alerts. */
export const guideFolders = {
  bots: { folder: 'docs/bots', title: 'Bots' },
  data: { folder: 'docs/data', title: 'Data' },
  access: { folder: 'docs/access', title: 'Access' },
  webhooks: { folder: 'docs/webhooks', title: 'Webhooks' },
  operations: { folder: 'docs/operations', title: 'Operations' },
  architecture: { folder: 'docs/architecture', title: 'Architecture' },
  benchmarks: { folder: 'docs/benchmarks', title: 'Benchmarks' },
  decisions: { folder: 'docs/decisions', title: 'Decisions' },
  runbooks: { folder: 'deploy/observability/runbooks', title: 'Runbooks' },
};

/** The guide that has the commands of the runbooks. */
const observability = 'deploy/observability/README.md';

/** Reads all guides. The ones that readers need first are at the beginning. Empty without the folder `docs`. */
export async function readGuides(): Promise<Guide[]> {
  const folders = ['docs', ...Object.values(guideFolders).map(({ folder }) => folder)];
  const names = (await Promise.all(folders.map(markdownIn))).flat();
  const guides = await Promise.all([...names, cliFile, observability].map(readGuide));
  const rankOf = ({ name }: Guide): number =>
    (first.indexOf(name) + 1 || first.length + 1) + (name.includes('/') ? 1 : 0);
  return guides.flatMap((guide) => guide ?? []).toSorted((one, other) => rankOf(one) - rankOf(other));
}

export async function readGuideImage(name: string): Promise<Buffer | undefined> {
  return /^[\w-]+\.png$/.test(name) ? readFile(join(root, 'docs/images', name)).catch(absent) : undefined;
}

async function markdownIn(folder: string): Promise<string[]> {
  // Runbooks are in a folder for each subject.
  const files = (await readdir(join(root, folder), { recursive: folder !== 'docs' }).catch(absent)) ?? [];
  return files.filter((file) => file.endsWith('.md')).map((file) => `${folder}/${file}`);
}

async function readGuide(file: string): Promise<Guide | undefined> {
  const markdown = await readFile(join(root, file), 'utf8').catch(absent);
  if (markdown === undefined) return undefined;
  return { name: nameOf(file), file, title: /^# (.+)$/m.exec(markdown)?.[1] ?? nameOf(file), markdown };
}

function nameOf(file: string): string {
  const named = { [cliFile]: 'cli', [observability]: 'observability' }[file];
  const name = posix.basename(file, '.md');
  const within = Object.entries(guideFolders).find(([, { folder }]) => file.startsWith(`${folder}/`));
  return named ?? (within ? `${within[0]}/${name}` : file.replace(/^docs\//, '').replace(/\.md$/, ''));
}

function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

/** Links to other guides work; links to files that are not served are plain text. */
export function guidePage(guide: Guide, guides: readonly Guide[], base: string): string {
  const folder = posix.dirname(guide.file);
  const hrefOf = (href: string): string | undefined => {
    if (/^(?:https?:|#)/.test(href)) return href;
    const [path = '', fragment = ''] = href.split(/(?=#)/);
    const file = posix.join(folder, path);
    if (file.startsWith('docs/images/')) return `${base}/guides/${file.slice('docs/'.length)}`;
    const name = nameOf(file);
    return guides.some((one) => one.name === name) ? `${base}/guides/${name}${fragment}` : undefined;
  };
  return pageOf(guide.title, proseWithLinks(guide.markdown, hrefOf), base);
}

export function guidesPage(guides: readonly Guide[], base: string): string {
  const listOf = (some: readonly Guide[]): string =>
    `<ul>${some.map(({ name, title }) => `<li><a href="${base}/guides/${name}">${escaped(title)}</a></li>`).join('\n')}</ul>`;
  const sections = Object.entries(guideFolders).map(
    ([folder, { title }]) => `<h2 id="${headingId(title)}">${title}</h2>
<section>${listOf(guides.filter(({ name }) => name.startsWith(`${folder}/`)))}</section>`,
  );
  const html = `<h1>Guides</h1>
<section>${listOf(guides.filter(({ name }) => !name.includes('/')))}</section>
${sections.join('\n')}`;
  return pageOf('Guides', html, base);
}

function pageOf(title: string, html: string, base: string): string {
  return documentOf({
    title: `${escaped(title)} – Parley`,
    head: `<link rel="icon" href="${base}${iconPath}">
<link rel="stylesheet" href="${base}/docs/reference.css">`,
    body: `<header>
<p class="brand"><a href="${base}/guides">Parley</a> <span>Guides</span></p>
<div class="switches"><a href="${base}/docs">API reference</a></div>
</header>
<main id="guide">
${html}
</main>`,
  });
}
