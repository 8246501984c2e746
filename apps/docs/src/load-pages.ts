//! Reads the pages of docs/ into the site: title from the first heading, links checked.
import type { Loader, LoaderContext } from 'astro/loaders';
import { type Link, rewriteLinks, urlOf } from './links.ts';
import { type PageFile, pageFiles, ROOT, readSource } from './repository.ts';

const TITLE = /^# (.+)\n+/;

interface Linked {
  readonly path: string;
  readonly links: readonly Link[];
}

const FIRST_PARAGRAPH = /^[^\n]+(\n[^\n]+)*\n+/;

/** The front page opens with its first paragraph in large, and with two ways on. */
function frontPage(text: string): Record<string, unknown> {
  const tagline = FIRST_PARAGRAPH.exec(text)?.[0].trim().replaceAll('\n', ' ') ?? '';
  const actions = [
    { text: 'Quickstart', link: urlOf('quickstart'), icon: 'right-arrow' },
    { text: 'Reference', link: urlOf('reference'), variant: 'minimal' },
  ];
  return { template: 'splash', hero: { tagline, actions } };
}

export function loadPages(): Loader {
  return {
    name: 'holdfast-pages',
    load: async (context) => {
      context.store.clear();
      const anchors = new Map<string, Set<string>>();
      const linked: Linked[] = [];
      for (const file of pageFiles()) {
        linked.push({ path: file.path, links: await loadPage(context, file, anchors) });
      }
      refuseDeadAnchors(linked, anchors);
    },
  };
}

async function loadPage(
  context: LoaderContext,
  { path, id }: PageFile,
  anchors: Map<string, Set<string>>,
): Promise<readonly Link[]> {
  const source = readSource(path);
  const title = TITLE.exec(source)?.[1];
  if (title === undefined) throw new Error(`${path} does not start with a title`);
  const { text, links } = rewriteLinks(path, source.replace(TITLE, ''));
  const filePath = `../../${path}`;
  const isFront = id === 'index';
  const shown = isFront ? text.replace(FIRST_PARAGRAPH, '') : text;
  const rendered = await context.renderMarkdown(shown, {
    fileURL: new URL(`file://${ROOT}/${path}`),
  });
  const data = await context.parseData({
    id,
    data: {
      title: title.replaceAll('`', ''),
      description: descriptionOf(text),
      ...(isFront ? frontPage(text) : {}),
    },
  });
  context.store.set({
    id,
    data,
    body: text,
    filePath,
    digest: context.generateDigest(source),
    rendered: { ...rendered, html: fitTables(rendered.html) },
  });
  const headings = rendered.metadata?.headings ?? [];
  const named = [...text.matchAll(/<a id="([^"]+)">/g)].map(([, name = '']) => name);
  anchors.set(id, new Set(['', ...headings.map(({ slug }) => slug), ...named]));
  return links;
}

/**
 * A table that is too wide is scrolled by itself. Long names in its cells may break where their
 * words meet; what is copied stays whole.
 */
function fitTables(html: string): string {
  const framed = html
    .replaceAll('<table>', '<div class="table"><table>')
    .replaceAll('</table>', '</table></div>');
  return framed.replace(/<td[^>]*>.*?<\/td>/gs, (cell) =>
    cell.replace(/(<code[^>]*>)([^<]*)(<\/code>)/g, (_, open, name: string, close) => {
      const words = name.replace(/[_./](?=\w)|[a-z](?=[A-Z])/g, (at) => `${at}<wbr>`);
      return `${open}${words}${close}`;
    }),
  );
}

/** The first sentences, without their markup: what a search engine shows. */
function descriptionOf(text: string): string {
  const paragraph = text.split(/\n{2,}/).find((part) => /^[A-Z`*]/.test(part)) ?? '';
  const plain = paragraph
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*_]/g, '')
    .replaceAll('\n', ' ');
  return plain.length > 160 ? `${plain.slice(0, 157).replace(/\s\S*$/, '')}…` : plain;
}

function refuseDeadAnchors(
  linked: readonly Linked[],
  anchors: ReadonlyMap<string, Set<string>>,
): void {
  const dead = linked.flatMap(({ path, links }) =>
    links
      .filter(({ id, anchor }) => anchors.get(id)?.has(anchor) !== true)
      .map(({ id, anchor }) => `${path} links to ${id}#${anchor}`),
  );
  if (dead.length > 0) throw new Error(`dead links:\n${dead.join('\n')}`);
}
