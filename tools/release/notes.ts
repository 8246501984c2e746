//! The notes of a release: the changes, how to upgrade, and what it consists of.

export interface Notes {
  readonly version: string;
  /** With its digest. */
  readonly image: string;
  /** The section of the changelog. */
  readonly changes: string;
  readonly migrations: readonly string[];
  readonly files: readonly string[];
}

export function notesOf({ version, image, changes, migrations, files }: Notes): string {
  const upgrade =
    migrations.length === 0
      ? 'No migrations: replace the processes one by one.'
      : `Run \`holdfast migrate\` with the new version first, beside the old one, then replace the
processes one by one. Migrations: ${migrations.map((name) => `\`${name}\``).join(', ')}.`;
  return `${changes}

## Upgrade

${upgrade}

## Artifacts

The image: \`${image}\`

\`\`\`sh
gh attestation verify oci://${image} --owner OWNER
sha256sum --check --ignore-missing SHA256SUMS
npm audit signatures
\`\`\`

${files.map((file) => `- \`${file}\``).join('\n')}

\`npm install holdfast@${version} @holdfast/sdk@${version}\`
`;
}
