//! The `holdfast` script that npm links: reports a Node.js that is too old before loading the rest.

const NEEDED = [24, 21] as const;

function isOld(): boolean {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  return major < NEEDED[0] || (major === NEEDED[0] && minor < NEEDED[1]);
}

if (isOld()) {
  const { node } = process.versions;
  process.stderr.write(`holdfast requires Node.js ${NEEDED.join('.')} or later; found ${node}\n`);
  process.exit(2);
}
process.setSourceMapsEnabled(true);
await import('./main.ts');
