//! The reference page of every setting, and the example environment file.
import { Money } from '@holdfast/kernel/money';
import {
  type Environment,
  type Process,
  type Setting,
  settings,
} from '../../apps/server/src/platform/config/settings.ts';

const rows = Object.entries(settings) as [string, Setting<unknown>][];

export function configurationPage(): string {
  const lines = rows.map(
    ([name, row]) =>
      `| \`${name}${row.secret ? '[_FILE]' : ''}\` | ${row.description.replaceAll('|', '\\|')} | ${row.expects} | ${defaultOf(row)} | ${neededIn(row)} | ${readersOf(row)} |`,
  );
  return `# Configuration

Every setting is an environment variable, read once at start. All invalid settings are reported
together. A process does not start if a variable that starts with \`HOLDFAST_\` is not in this
table, except those that Kubernetes adds for services (with values such as \`tcp://…\`), which are
ignored. In production, no secret has a default, and a process does not start if it has a secret that
other processes read. Each setting with \`[_FILE]\` may be in a file, whose path is then in
\`NAME_FILE\`. [What production refuses](../operations/settings.md) lists the other checks.

| Name | Description | Value | Default | Required in | Read by |
|---|---|---|---|---|---|
${lines.join('\n')}
`;
}

export function environmentExample(header: string): string {
  const entries = rows.map(([name, row]) => {
    const comment = row.requiredIn.includes('production') ? '' : '# ';
    return `# ${row.description}\n${comment}${name}=${row.secret ? '' : plainDefault(row, 'production')}\n`;
  });
  const files =
    '# A secret, which has no value here, may be in a file: set NAME_FILE to its path instead.';
  return `# ${header}\n${files}\n\n${entries.join('\n')}`;
}

function defaultOf(row: Setting<unknown>): string {
  const [development, production] = [
    plainDefault(row, 'development'),
    plainDefault(row, 'production'),
  ];
  if (development === production) return production === '' ? '' : `\`${production}\``;
  return `${shown(development)} in development, ${shown(production)} in production`;
}

const shown = (value: string) => (value === '' ? '(empty)' : `\`${value}\``);

/** As a reader who copies it has to write it. */
export function plainDefault(row: Setting<unknown>, environment: Environment): string {
  const value = row.defaultIn[environment];
  if (value === undefined) return '';
  if (value === null) return 'none';
  // Amounts are kept in cents, and written as amounts.
  if (typeof value === 'bigint') return value === 0n ? '0' : Money.ofMinor(value, 'USD').text;
  return `${value as string | number}`;
}

function neededIn({ requiredIn }: Setting<unknown>): string {
  return requiredIn.join(' and ');
}

const PROCESS_NAMES: Readonly<Record<Process, string>> = {
  api: 'API server',
  worker: 'worker',
  migrate: 'migrate',
  'rotate-wallet-keys': 'rotate wallet keys',
};

function readersOf({ readBy }: Setting<unknown>): string {
  return readBy === undefined ? 'all' : readBy.map((one) => PROCESS_NAMES[one]).join(', ');
}
