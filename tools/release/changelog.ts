//! The changelog: turns what is unreleased into the section of a version, and reads such a section.

const KINDS = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security'] as const;

export interface Change {
  readonly kind: (typeof KINDS)[number];
  readonly text: string;
}

const UNRELEASED = '## [Unreleased]';

/** A change as a changeset states it: `Added: text`. */
export function readChange(summary: string): Change {
  const [, kind, text] = /^(\w+): (.+)$/s.exec(summary.trim()) ?? [];
  const known = KINDS.find((each) => each === kind);
  if (known === undefined || text === undefined)
    throw new Error(
      `a change starts with its kind (${KINDS.join(', ')}) and a colon, not: ${summary.trim()}`,
    );
  return { kind: known, text };
}

/** The text below the heading of a version, or of `Unreleased`. */
export function sectionOf(changelog: string, version: string): string | undefined {
  const [, ...sections] = changelog.split(/^## \[/m);
  const section = sections.find((each) => each.startsWith(`${version}]`));
  return section?.slice(section.indexOf('\n')).trim();
}

/** What was unreleased, and these changes, under the version; the unreleased section is empty. */
export function closeUnreleased(
  changelog: string,
  { version, date, changes }: { version: string; date: string; changes: readonly Change[] },
): string {
  const unreleased = sectionOf(changelog, 'Unreleased');
  if (unreleased === undefined) throw new Error(`the changelog has no section ${UNRELEASED}`);
  if (sectionOf(changelog, version) !== undefined)
    throw new Error(`the changelog has a section ${version} already`);
  const parts = partsOf(unreleased);
  for (const { kind, text } of changes) {
    const part = parts.get(kind) ?? [];
    parts.set(kind, [...part, `- ${text.replaceAll('\n', '\n  ')}`]);
  }
  const closed = [...parts].map(([kind, lines]) => `### ${kind}\n\n${lines.join('\n')}`);
  if (closed.length === 0) throw new Error('nothing is unreleased');
  const start = changelog.indexOf(UNRELEASED);
  const next = changelog.indexOf('\n## [', start);
  const rest = next === -1 ? '' : `\n${changelog.slice(next)}`;
  const heading = `## [${version}] - ${date}`;
  return `${changelog.slice(0, start)}${UNRELEASED}\n\n${heading}\n\n${closed.join('\n\n')}${rest}`;
}

function partsOf(section: string): Map<string, string[]> {
  const parts = section.split(/^### /m).filter((part) => part.trim() !== '');
  return new Map(
    parts.map((part) => {
      const end = part.indexOf('\n');
      return [part.slice(0, end).trim(), [part.slice(end).trim()]];
    }),
  );
}
