//! Checks workflows: existing scripts, locked installs, and actions pinned to a commit.
import { type Check, findLines, type Source } from './source.ts';

function isWorkflow({ path }: Source): boolean {
  return /^\.github\/workflows\/[^/]+\.ya?ml$/.test(path);
}

/** A tag can be moved to other code; a commit cannot. Its version stands beside it, for people. */
const PINNED = /\buses: [\w.-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/;

export const pinnedActions: Check = {
  name: 'workflows pin actions to a commit, with its version',
  find: (source) =>
    isWorkflow(source)
      ? findLines(source, (line) =>
          /\buses:/.test(line) && !PINNED.test(line) ? line.trim() : undefined,
        )
      : [],
};

export const workflowCommands: Check = {
  name: 'every npm script that a workflow runs exists, and it installs by npm ci',
  find: (source, { scripts }) =>
    isWorkflow(source)
      ? findLines(source, (line) => {
          const named = [...line.matchAll(/npm run (?:-s )?([\w:-]+)/g)].map(([, name]) => name);
          const unknown = named.filter((name) => !scripts.has(name ?? ''));
          if (unknown.length > 0) return `names npm run ${unknown.join(', ')}`;
          return /\bnpm (install|i)\b/.test(line) ? line.trim() : undefined;
        })
      : [],
};
