//! Helpers that write the Markdown of the reference pages.

export const code = (text: string): string => `\`${text}\``;
export const codes = (list: readonly string[]): string => list.map(code).join(', ');
export const orDash = (text: string): string => (text === '' ? '–' : text);
export const paragraphs = (...parts: readonly string[]): string => `${parts.join('\n\n')}\n`;

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** The fields of a request or a payload, with a column for notes if any field has one. */
export function fieldTable(
  title: string,
  fields: readonly {
    readonly name: string;
    readonly kind: string;
    readonly isRequired: boolean;
    readonly description: string;
  }[],
): string {
  const hasNotes = fields.some(({ description }) => description !== '');
  const rows = fields.map(({ name, kind, isRequired, description }) => [
    code(name),
    kind,
    isRequired ? 'yes' : 'no',
    ...(hasNotes ? [description] : []),
  ]);
  return table([title, 'Kind', 'Required', ...(hasNotes ? ['Note'] : [])], rows);
}

function cell(text: string): string {
  return orDash(text).replaceAll('|', '\\|').replaceAll('\n', ' ');
}

export function block(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}

export function json(value: unknown): string {
  return block('json', JSON.stringify(value, null, 2));
}

/** Details that not every reader needs, behind a line that opens them. */
export function collapsible(summary: string, text: string): string {
  return `<details>\n<summary>${summary}</summary>\n\n${text}\n\n</details>`;
}

/** The name of a page, as the SDK's `docUrl` has it: `INVALID_STATE` becomes `invalid_state`. */
export function slugOf(word: string): string {
  return word.toLowerCase();
}

/** The words of a name in code: `createApiKey` becomes `Create API key`. */
export function titleOf(name: string): string {
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  const text = words.replace(/\bapi\b/g, 'API').replace(/\btopup/g, 'top-up');
  return `${text[0]?.toUpperCase()}${text.slice(1)}`;
}

/** The anchor of a heading, as code hosts and the site make it. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\w\s-]/g, '')
    .replace(/\s/g, '-');
}
