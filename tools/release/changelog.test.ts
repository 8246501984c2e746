//! Tests the changelog of a release.
import { describe, expect, it } from 'vitest';
import { closeUnreleased, readChange, sectionOf } from './changelog.ts';

const CHANGELOG = `# Changelog

## [Unreleased]

### Added

- A thing.
- Another,
  on two lines.

### Fixed

- A fault.

## [0.1.0] - 2026-11-15

### Added

- The first thing.
`;
const NOTHING = '# Changelog\n\n## [Unreleased]\n\n## [0.1.0] - 2026-11-15\n\n- One.\n';
const release = { version: '0.2.0', date: '2026-12-01' };

describe('a released changelog', () => {
  const released = closeUnreleased(CHANGELOG, {
    ...release,
    changes: [
      readChange('Fixed: Another fault,\nwhich was old.\n'),
      readChange('Security: A hole.'),
    ],
  });

  it('has what was unreleased and the changes under the version, by kind', () => {
    expect(sectionOf(released, '0.2.0')).toBe(`### Added

- A thing.
- Another,
  on two lines.

### Fixed

- A fault.
- Another fault,
  which was old.

### Security

- A hole.`);
    expect(released).toContain('## [Unreleased]\n\n## [0.2.0] - 2026-12-01\n\n### Added\n');
  });

  it('has nothing unreleased, and the older sections as they were', () => {
    expect(sectionOf(released, 'Unreleased')).toBe('');
    expect(sectionOf(released, '0.1.0')).toBe(sectionOf(CHANGELOG, '0.1.0'));
    expect(
      released.endsWith('\n\n## [0.1.0] - 2026-11-15\n\n### Added\n\n- The first thing.\n'),
    ).toBe(true);
  });

  it('is not released under the same version again, or with nothing to release', () => {
    expect(() => closeUnreleased(released, { ...release, changes: [] })).toThrow(/0\.2\.0 already/);
    expect(() => closeUnreleased(NOTHING, { ...release, changes: [] })).toThrow(/nothing is/);
  });
});

it('a change without a known kind is refused', () => {
  expect(() => readChange('Improved: things')).toThrow(/starts with its kind/);
  expect(() => readChange('a thing')).toThrow(/starts with its kind/);
  expect(sectionOf(CHANGELOG, '0.3.0')).toBeUndefined();
});
