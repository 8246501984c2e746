import { expect, test } from 'vitest';
import { openTerminal } from '../terminal/terminal.ts';
import { aReadiness } from '../testing/readiness.ts';
import { welcomeLines } from './screen.ts';

const api = 'http://127.0.0.1:4400';
const operator = (name: string, role: 'admin' | 'platform-admin') =>
  ({ email: `${name}@holdfast.test`, password: 'secret', totpSecret: 'ABC', role }) as const;
const operators = [operator('adam', 'admin'), operator('petra', 'platform-admin')];
const ready = { ...aReadiness(api), operators };

function welcome(sites: {
  readonly docs: string | undefined;
  readonly console: string | undefined;
}) {
  const silent = { write: () => undefined };
  const terminal = openTerminal({ stdout: silent, stderr: silent, env: {} }, false);
  const facts = { ready, log: '.holdfast/dev.log', startMs: 9300, isPersistent: false };
  return welcomeLines(terminal, { ...facts, ...sites }).join('\n');
}

test('names what is served, and how to sign in', () => {
  const text = welcome({ docs: `${api}/docs/`, console: `${api}/console/` });
  expect(text).toContain('  Holdfast is ready (started in 9.3 s).\n');
  expect(text).toContain(`Docs         ${api}/docs/\n`);
  expect(text).toContain(`Console      ${api}/console/\n`);
  expect(text).toMatch(/Sign in to the console:\n[\s\S]*Role +Email +Password\n +admin +adam@/);
  expect(text).toMatch(
    /Get the two-factor code in another terminal in this folder: npm run -s holdfast -- code adam\n/,
  );
  expect(text).not.toContain('ABC');
});

test('prints no address of a site that is not served', () => {
  const text = welcome({ docs: undefined, console: undefined });
  expect(text).toContain('Docs         not built; run `npm run build:docs` and start again\n');
  expect(text).toContain('Console      not built; run `npm run build:console` and start again\n');
  expect(text).not.toMatch(/\/docs|\/console|Sign in/);
});
