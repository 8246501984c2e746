//! Every fault can be planted in its file, and is removed again afterwards.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EDGE_FAULTS } from './planted/edge-faults.ts';
import { type Fault, misfitOf, plant } from './planted/fault.ts';
import { MONEY_FAULTS } from './planted/money-faults.ts';

const ROOT = join(import.meta.dirname, '..');
const FAULTS = [...MONEY_FAULTS, ...EDGE_FAULTS];

describe('the faults', () => {
  it('are thirty, each with a name of its own', () => {
    expect(new Set(FAULTS.map(({ name }) => name)).size).toBe(30);
  });

  it.each(FAULTS)('$name fits the text of its file', (fault) => {
    expect(misfitOf(ROOT, fault)).toBeUndefined();
    expect(fault.replace).not.toBe(fault.find);
  });
});

describe('planting', () => {
  const fault: Fault = {
    name: 'swapped',
    file: 'src/limit.ts',
    find: 'count <= limit',
    replace: 'count < limit',
    why: 'the last one is refused',
  };

  function inTree(text: string, work: (root: string, read: () => string) => void): void {
    const root = mkdtempSync(join(tmpdir(), 'holdfast-fault-'));
    const path = join(root, fault.file);
    mkdirSync(dirname(path));
    writeFileSync(path, text);
    work(root, () => readFileSync(path, 'utf8'));
    rmSync(root, { recursive: true });
  }

  it('changes one place, and takes it back', () => {
    inTree('return count <= limit;', (root, read) => {
      const takeOut = plant(root, fault);
      expect(read()).toBe('return count < limit;');
      takeOut();
      expect(read()).toBe('return count <= limit;');
    });
  });

  it('fails loudly when its text is gone, or is not the only one', () => {
    inTree('return true;', (root) =>
      expect(() => plant(root, fault)).toThrow('swapped: its text is gone from src/limit.ts'),
    );
    inTree('count <= limit || count <= limit', (root) =>
      expect(() => plant(root, fault)).toThrow('its text occurs 2 times'),
    );
    expect(misfitOf('/nowhere', fault)).toBe('its file is gone: src/limit.ts');
  });
});
