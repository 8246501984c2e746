import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { VERSION } from './version.ts';

it.each(['../../../../../package.json', '../../../package.json'])(
  'is the version in %s',
  (path) => {
    const { version } = JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8')) as {
      version: string;
    };
    expect(VERSION).toBe(version);
  },
);
