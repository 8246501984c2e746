import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { leftAfter } from './testing/processes.ts';

const script = (how: string) => `
  import { spawn } from 'node:child_process';
  import { adopt } from ${JSON.stringify(new URL('./children.ts', import.meta.url).href)};
  const child = adopt(spawn('sleep', ['300'], { stdio: 'ignore' }));
  process.stdout.write(String(child.pid));
  ${how}
`;

test.each([
  ['an exit', 'process.exit(3);'],
  ['an uncaught error', "throw new Error('planted');"],
])('%s also ends the child processes', async (_name, how) => {
  const args = ['--input-type=module-typescript', '--eval', script(how)];
  const { stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect(Number(stdout)).toBeGreaterThan(0);
  expect(await leftAfter(2000, [Number(stdout)])).toEqual([]);
});
