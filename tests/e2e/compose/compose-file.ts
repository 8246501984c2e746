//! Reads compose files as Docker does: anchors, variables, and the merge of several files. Only the
//! fields that ours use.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { ROOT } from '../../../tools/pack/manifest.ts';

export interface HealthCheck {
  readonly test?: readonly string[];
  readonly disable?: boolean;
}

export type Condition = 'service_started' | 'service_healthy' | 'service_completed_successfully';

export interface Service {
  readonly image: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly env_file?: readonly { readonly path: string }[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: Condition }>>;
  readonly secrets?: readonly { readonly source: string; readonly target: string }[];
  /** `from:to` or `from:to:ro`. */
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
  readonly healthcheck?: HealthCheck;
  readonly networks?: Readonly<Record<string, { readonly aliases?: readonly string[] }>>;
  readonly restart?: string;
  readonly stop_grace_period?: string;
}

export interface ComposeFile {
  readonly services: Readonly<Record<string, Service>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
  readonly volumes: Readonly<Record<string, unknown>>;
}

type Node = Record<string, unknown>;

export function readCompose(...files: readonly string[]): ComposeFile {
  const read = files.map((file) => {
    const text = readFileSync(join(ROOT, file), 'utf8');
    return withVariables(parse(text, { merge: true })) as Node;
  });
  return read.reduce((one, other) => merge(one, other)) as unknown as ComposeFile;
}

/** `${NAME:-default}` and `$$`; a name without a default is empty. */
function withVariables(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withVariables);
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [name, withVariables(each)]),
    );
  if (typeof value !== 'string') return value;
  return value.replace(/\$\$|\$\{(\w+)(?::-([^}]*))?\}/g, (found, name: string, other = '') =>
    found === '$$' ? '$' : process.env[name] || other,
  );
}

/** Lists that a later file replaces; others are joined. */
const REPLACED = new Set(['command', 'entrypoint', 'test']);

function merge(one: Node, other: Node): Node {
  const merged: Node = { ...one };
  for (const [name, value] of Object.entries(other)) {
    const before = one[name];
    if (isMap(before) && isMap(value)) merged[name] = merge(before, value);
    else if (Array.isArray(before) && Array.isArray(value) && !REPLACED.has(name))
      merged[name] = [...before, ...value];
    else merged[name] = value;
  }
  return merged;
}

function isMap(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Those that `name` waits for come first. */
export function startOrder({ services }: ComposeFile): string[] {
  const order = new Set<string>();
  const visit = (name: string): void => {
    for (const needed of Object.keys(services[name]?.depends_on ?? {})) visit(needed);
    order.add(name);
  };
  for (const name of Object.keys(services)) visit(name);
  return [...order];
}
