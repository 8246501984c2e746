//! Turns links between files of the repository into links of the site, and finds dead ones.
import { exists, pageFiles, rawFiles, readText, resolveLink, shownAs } from './repository.ts';

/** Under which the site is served. */
export const BASE = '/docs';

const ids = new Map(pageFiles().map(({ path, id }) => [path, id]));
const raw = new Set(rawFiles());

export function urlOf(id: string): string {
  return id === 'index' ? `${BASE}/` : `${BASE}/${id}/`;
}

/** The page of a file or a folder. */
function pageAt(path: string): string | undefined {
  if (path === 'docs') return 'index';
  return ids.get(path) ?? ids.get(`${path}/README.md`) ?? ids.get(`${path}/index.md`);
}

export interface Link {
  readonly id: string;
  readonly anchor: string;
}

export interface Rewritten {
  readonly text: string;
  /** To other pages, to be held against their headings once all are known. */
  readonly links: readonly Link[];
}

const FENCE = /^(`{3,}|~{3,}).*?^\1$/gms;
const INLINE_CODE = /`[^`\n]+`/g;
const LINK = /(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)/g;

/** Rewrites every link outside of code. A link that leads nowhere ends the build. */
export function rewriteLinks(path: string, text: string): Rewritten {
  const stashed: string[] = [];
  const stash = (code: string) => `\uE000${stashed.push(code) - 1}\uE000`;
  const links: Link[] = [];
  const rewritten = text
    .replace(FENCE, stash)
    .replace(INLINE_CODE, stash)
    .replace(LINK, (_, bang: string, label: string, target: string) =>
      bang === '!' ? picture(path, label, target) : link(path, label, target, links),
    );
  return { text: rewritten.replace(/\uE000(\d+)\uE000/g, (_, at) => stashed[at] ?? ''), links };
}

function link(path: string, label: string, target: string, links: Link[]): string {
  if (/^[a-z]+:/.test(target)) return `[${label}](${target})`;
  const [file = '', anchor = ''] = target.split('#');
  const found = file === '' ? path : resolveLink(path, file);
  const id = pageAt(found);
  if (id !== undefined) {
    links.push({ id, anchor });
    return `[${label}](${urlOf(id)}${anchor === '' ? '' : `#${anchor}`})`;
  }
  if (raw.has(found)) return `[${label}](${BASE}/files/${shownAs(found)})`;
  // Sources are read in the repository; the site names them and does not carry them.
  if (exists(found)) return label;
  throw new Error(`${path} links to ${target}, which is not there`);
}

/** A drawing becomes part of the page and takes its colours; a photograph is served as a file. */
function picture(path: string, label: string, target: string): string {
  const found = resolveLink(path, target);
  if (raw.has(found)) return `![${label}](${BASE}/files/${shownAs(found)})`;
  const drawing = readText(found)
    .replace(/<!--.*?-->/gs, '')
    .replace(/\s*\n\s*/g, ' ')
    .trim();
  const named = drawing.replace('<svg ', `<svg role="img" aria-label="${label}" `);
  return `<figure class="drawing">${named}</figure>`;
}
