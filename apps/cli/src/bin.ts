//! What npm links as `holdfast`: says so when Node.js is too old, before anything newer is read.

const NEEDED = [24, 21] as const;

function isOld(): boolean {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  return major < NEEDED[0] || (major === NEEDED[0] && minor < NEEDED[1]);
}

if (isOld()) {
  const { node } = process.versions;
  process.stderr.write(`holdfast needs Node.js ${NEEDED.join('.')} or later; this is ${node}\n`);
  process.exit(2);
}
process.setSourceMapsEnabled(true);
await import('./main.ts');
