//! Writes HTML: every value in a template is escaped, unless it is HTML already.
import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';

export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = Html | string | number | undefined | readonly Html[];

export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(texts.map((text, at) => text + write(parts[at])).join(''));
}

function write(part: Part): string {
  if (part === undefined) return '';
  if (part instanceof Html) return part.text;
  if (typeof part === 'string' || typeof part === 'number') return escapeHtml(`${part}`);
  return part.map(({ text }) => text).join('');
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);
}

interface Page {
  readonly title: string;
  readonly style: string;
  readonly body: Html;
  readonly script?: string;
  /** Seconds until the page is loaded again, by pages that wait and run no script. */
  readonly reloadIn?: number;
}

export function sendPage(response: ServerResponse, status: number, page: Page): void {
  const { title, style, body, script, reloadIn } = page;
  const reload =
    reloadIn === undefined ? undefined : html`<meta http-equiv="refresh" content="${reloadIn}">`;
  const document = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
${reload}
<title>${title}</title>
<style>${new Html(style)}</style>
</head>
<body>
${body}
${script === undefined ? undefined : new Html(`<script>${script}</script>`)}
</body>
</html>
`;
  sendHtml(response, status, document, script);
}

/** No assets from elsewhere, no frames, and no script but our own. Forms may lead anywhere. */
export function sendHtml(
  response: ServerResponse,
  status: number,
  content: Html,
  script?: string,
): void {
  const digest = createHash('sha256')
    .update(script ?? '')
    .digest('base64');
  const scripts = script === undefined ? "'none'" : `'sha256-${digest}'`;
  const policy = [
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    'img-src data:',
    "connect-src 'self'",
    `script-src ${scripts}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
  response
    .writeHead(status, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
    })
    .end(content.text);
}
