//! The reference page of every setting, and the file to start an environment from.
import { Money } from '@holdfast/kernel/money';
import { type Environment, type Setting, settings } from '../../apps/server/src/settings.ts';

const rows = Object.entries(settings) as [string, Setting<unknown>][];

export function configurationPage(): string {
  const lines = rows.map(
    ([name, row]) =>
      `| \`${name}\` | ${row.means.replaceAll('|', '\\|')} | ${row.wants} | ${defaultOf(row)} | ${neededIn(row)} |`,
  );
  return `# Configuration

Every setting is an environment variable, read once at start. All faults are reported at once, a
name that is not here refuses to start, and no secret has a default.

| Name | Means | Value | Default | Needed in |
|---|---|---|---|---|
${lines.join('\n')}
`;
}

export function environmentExample(notice: string): string {
  const entries = rows.map(([name, row]) => {
    const comment = row.requiredIn.includes('production') ? '' : '# ';
    return `# ${row.means}\n${comment}${name}=${row.secret ? '' : plainDefault(row, 'production')}\n`;
  });
  return `# ${notice}\n\n${entries.join('\n')}`;
}

function defaultOf(row: Setting<unknown>): string {
  const [development, production] = [
    plainDefault(row, 'development'),
    plainDefault(row, 'production'),
  ];
  if (development === production) return production === '' ? '' : `\`${production}\``;
  return `\`${development}\` in development, \`${production}\` in production`;
}

/** As whoever copies it would have to write it. */
export function plainDefault(row: Setting<unknown>, environment: Environment): string {
  const value = row.defaultIn[environment];
  if (value === undefined) return '';
  if (value === null) return 'none';
  // Amounts are kept in cents, and written as amounts.
  if (typeof value === 'bigint') return value === 0n ? '0' : Money.ofMinor(value, 'USD').text;
  return `${value as string | number}`;
}

function neededIn({ requiredIn }: Setting<unknown>): string {
  return requiredIn.length === 2 ? 'both' : requiredIn.join();
}
