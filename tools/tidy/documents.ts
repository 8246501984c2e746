//! Checks documents: every path, command, link and code that one names exists.
import { posix } from 'node:path';
import { type Check, findLines, type Repository, type Source, UPPER_CASE_WORD } from './source.ts';

function isDocument({ path }: Source): boolean {
  return path.endsWith('.md');
}

const REPOSITORY_PATH =
  /^(?:(?:apps|packages|deploy|docs|tests|bench|tools|\.github|\.ci)\/[\w./*-]*|[A-Z]+\.md|(?:package|knip|biome)\.json|compose\.yaml)$/;

function exists(path: string, { paths }: Repository): boolean {
  const bare = path.replace(/\/$/, '');
  if (!bare.includes('*')) return paths.has(bare);
  const form = bare.replaceAll('.', '\\.').replaceAll('**/', '(.*/)?').replace(/\*/g, '[^/]*');
  const like = new RegExp(`^${form}$`);
  return [...paths].some((one) => like.test(one));
}

/** Checks each line of each document; `missing` returns the names that do not exist. */
function documentCheck(
  name: string,
  message: string,
  missing: (line: string, repository: Repository, source: Source) => readonly string[],
): Check {
  return {
    name,
    find(source, repository) {
      if (!isDocument(source)) return [];
      return findLines(source, (line) => {
        const found = missing(line, repository, source);
        return found.length > 0 ? `${message} ${found.join(', ')}` : undefined;
      });
    },
  };
}

/** The first group of a pattern, for each match. */
function taken(line: string, pattern: RegExp): string[] {
  return [...line.matchAll(pattern)].map((match) => match[1] ?? '');
}

export const documentPaths: Check = documentCheck(
  'every path that a document names exists',
  'names',
  (line, repository) =>
    taken(line, /`([^`\s]+)`/g).filter(
      (text) => REPOSITORY_PATH.test(text) && !exists(text, repository),
    ),
);

export const documentLinks: Check = documentCheck(
  'every link inside the repository leads somewhere',
  'links to',
  (line, repository, { path }) =>
    taken(line, /\]\(([^)\s#]+)[^)]*\)/g)
      .filter((target) => !/^[a-z]+:/.test(target))
      .filter((target) => !exists(posix.join(posix.dirname(path), target), repository)),
);

export const documentCommands: Check = documentCheck(
  'every npm script that a document names exists',
  'names npm run',
  (line, { scripts }) =>
    taken(line, /npm run (?:-s )?([\w:-]+)/g).filter((script) => !scripts.has(script)),
);

/** Words that look like codes and are none of ours. */
const FOREIGN_WORDS = new Set([
  'COMPOSE_FILE',
  'KEEP_A_CHANGELOG',
  'LAST_EVENT_ID',
  'READ_COMMITTED',
]);

export const documentCodes: Check = documentCheck(
  'every code, state and setting that a document names is declared',
  'names',
  (line, { words }) =>
    (line.match(UPPER_CASE_WORD) ?? []).filter(
      // A secret may come from a file.
      (word) =>
        ![word, word.replace(/_FILE$/, '')].some((one) => words.has(one) || FOREIGN_WORDS.has(one)),
    ),
);

const CHANGE_KINDS = new Set(['Added', 'Changed', 'Fixed', 'Deprecated', 'Removed', 'Security']);

export const changelogShape: Check = {
  name: 'the changelog lists versions, newest first, by kind of change',
  find(source, { version }) {
    if (source.path !== 'CHANGELOG.md') return [];
    const releases = [...source.text.matchAll(/^## \[?([^\]\s]+)\]?(.*)$/gm)];
    const wrong = releases
      .filter(
        ([, name, date]) => name !== 'Unreleased' && !/^ - \d{4}-\d{2}-\d{2}$/.test(date ?? ''),
      )
      .map(([heading]) => `CHANGELOG.md: ${heading} needs a date, " - YYYY-MM-DD"`);
    if (!releases.some(([, name]) => name === version)) {
      wrong.push(`CHANGELOG.md: version ${version} of package.json is missing`);
    }
    const kinds = [...source.text.matchAll(/^### (.*)$/gm)].map((match) => match[1] ?? '');
    const unknown = kinds.filter((kind) => !CHANGE_KINDS.has(kind));
    return [...wrong, ...unknown.map((kind) => `CHANGELOG.md: ${kind} is no kind of change`)];
  },
};

const RECORD = /^docs\/decisions\/(\d{4})-[a-z0-9-]+\.md$/;
const HEADS = ['Context', 'Decision', 'Consequences', 'Rejected alternatives', 'Enforced by'];

export const decisionShape: Check = {
  name: 'a decision record has its number, its date and five heads in order',
  find({ path, text }) {
    const number = RECORD.exec(path)?.[1];
    if (number === undefined) return [];
    const wrong: string[] = [];
    if (!new RegExp(`^# ${number} — \\S`).test(text))
      wrong.push(`${path}: title is not "# ${number} — …"`);
    if (!/^(Accepted|Superseded by \d{4}), \d{4}-\d{2}-\d{2}$/m.test(text))
      wrong.push(`${path}: no status`);
    const heads = [...text.matchAll(/^\*\*([A-Z][a-z ]+)\.\*\*/gm)].map((match) => match[1]);
    if (heads.join() !== HEADS.join()) wrong.push(`${path}: heads are ${heads.join(', ')}`);
    return wrong;
  },
};

export const decisionList: Check = {
  name: 'the list of decision records has each of them',
  find({ path, text }, { paths }) {
    if (path !== 'docs/decisions/README.md') return [];
    const missing = [...paths].filter(
      (one) => RECORD.test(one) && !text.includes(`](${posix.basename(one)})`),
    );
    return missing.map((one) => `${path} does not list ${one}`);
  },
};

/** The project speaks of itself, not of the machine it was written on. */
export const noMachinePaths: Check = {
  name: 'no path of a particular machine',
  find: (source) =>
    findLines(source, (line) =>
      /^[^'"]*(^|[\s`(])\/(home|Users|root)\/\w/.test(line) ? line.trim().slice(0, 80) : undefined,
    ),
};

export const dependenciesExplained: Check = {
  name: 'every direct dependency is explained in docs/dependencies.md',
  find({ path, text }, { dependencyNotes }) {
    if (!/^((apps|packages)\/[^/]+\/)?package\.json$/.test(path)) return [];
    const manifest = JSON.parse(text) as Record<string, Record<string, string>>;
    return ['dependencies', 'devDependencies', 'optionalDependencies']
      .flatMap((kind) => Object.keys(manifest[kind] ?? {}))
      .filter((name) => !name.startsWith('@holdfast/') && !dependencyNotes.includes(`\`${name}\``))
      .map((name) => `${path}: ${name} has no line in docs/dependencies.md`);
  },
};
