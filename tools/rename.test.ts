//! The rename tool on a small project: the changed uses, the unchanged ones, and the refusals.
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readRenames, renameAll } from './rename.ts';

const root = join(import.meta.dirname, '..');
const ONE = 'apps/one/src/one.ts';
const TWO = 'apps/two/src/two.ts';

function renamed(files: Readonly<Record<string, string>>, list: string): Map<string, string> {
  const { texts, conflicts } = renameAll(root, new Map(Object.entries(files)), readRenames(list));
  expect(conflicts).toEqual([]);
  return texts;
}

describe('renameAll', () => {
  it('renames a function, its imports and its calls', () => {
    const texts = renamed(
      {
        [ONE]: 'export function tell(): void {}\n',
        [TWO]:
          "import { tell } from '../../one/src/one.ts';\ntell();\nconst { tell: own } = { tell };\nown();\n",
      },
      'tell emit apps/one/',
    );
    expect(texts.get(ONE)).toBe('export function emit(): void {}\n');
    expect(texts.get(TWO)).toBe(
      "import { emit } from '../../one/src/one.ts';\nemit();\nconst { tell: own } = { tell: emit };\nown();\n",
    );
  });

  it('keeps the property of a shorthand whose variable is renamed', () => {
    const texts = renamed(
      { [ONE]: 'const wish = 1;\nexport const sent: { wish: number } = { wish };\n' },
      `wish input ${ONE}`,
    );
    expect(texts.get(ONE)).toBe(
      'const input = 1;\nexport const sent: { input: number } = { input };\n',
    );
  });

  it('keeps the variable where only the property is in scope of a rule', () => {
    const texts = renamed(
      {
        [ONE]: 'export interface Plan {\n  readonly look: string;\n}\n',
        [TWO]:
          "import type { Plan } from '../../one/src/one.ts';\nexport function plan(look: string): Plan {\n  return { look };\n}\nexport function read({ look }: Plan): string {\n  return look;\n}\n",
      },
      'look poll apps/one/',
    );
    expect(texts.get(TWO)).toContain('return { poll: look };');
    expect(texts.get(TWO)).toContain('read({ poll: look }: Plan)');
  });

  it('follows the declaration and not the literal that has its shape', () => {
    const texts = renamed(
      {
        [ONE]: 'export interface Row {\n  readonly told: string;\n}\n',
        [TWO]:
          "import type { Row } from '../../one/src/one.ts';\nexport const row: Row = { told: 'x' };\n",
      },
      'told payload apps/two/',
    );
    expect(texts.get(TWO)).toContain("{ told: 'x' }");
  });

  it('lets the longest folder decide', () => {
    const files = { [ONE]: 'export const told = 1;\n', [TWO]: 'export const told = 1;\n' };
    const texts = renamed(files, 'told payload apps/\ntold body apps/two/');
    expect([texts.get(ONE), texts.get(TWO)]).toEqual([
      'export const payload = 1;\n',
      'export const body = 1;\n',
    ]);
  });

  it('does not touch the names of the language and of libraries', () => {
    const text = 'export const all: PromiseLike<number> = { then: () => new Promise(() => {}) };\n';
    expect(renamed({ [ONE]: text }, 'then after').get(ONE)).toBe(text);
  });

  it('renames the private member of a class', () => {
    const text =
      'export class One {\n  #told = 1;\n  get(): number {\n    return this.#told;\n  }\n}\n';
    expect(renamed({ [ONE]: text }, 'told body').get(ONE)).toBe(text.replaceAll('told', 'body'));
  });

  it.each([
    ['a name in the same scope', 'const input = 1;\nconst wish = 2;\nexport { input, wish };\n'],
    ['a name outside', 'const input = 1;\nexport const sum = (wish: number) => wish + input;\n'],
    ['a name inside', 'const wish = 1;\nexport const sum = (input: number) => wish + input;\n'],
  ])('leaves a name that would clash with %s, and says so', (_case, text) => {
    const before = new Map([[ONE, text]]);
    const { texts, conflicts } = renameAll(root, before, readRenames('wish input'));
    expect(texts.get(ONE)).toBe(text);
    expect(conflicts).toEqual([`${ONE}: wish cannot be input, which ${ONE} has in that scope`]);
  });

  it('sees two names that become one', () => {
    const text =
      'export function sum(wish: number, asked: number): number {\n  return wish + asked;\n}\n';
    const list = readRenames('wish input\nasked input');
    const { texts, conflicts } = renameAll(root, new Map([[ONE, text]]), list);
    expect(texts.get(ONE)).toContain('sum(input: number, asked: number)');
    expect(conflicts).toHaveLength(1);
  });

  it('moves a file with its imports and the documents that name it', () => {
    const texts = renamed(
      {
        'apps/one/src/order-wish.ts':
          "import { two } from './two.ts';\nexport const one = two + './written.ts';\n",
        'apps/one/src/two.ts': 'export const two = 2;\n',
        [TWO]: "import { one } from '../../one/src/order-wish.ts';\nexport const three = one;\n",
        'docs/page.md':
          'See `apps/one/src/order-wish.ts`, or order-input.ts; not border-wish.ts.\n',
      },
      'apps/one/src/order-wish.ts apps/one/src/orders/order-input.ts',
    );
    expect(texts.get('apps/one/src/orders/order-input.ts')).toBe(
      "import { two } from '../two.ts';\nexport const one = two + './written.ts';\n",
    );
    expect(texts.get(TWO)).toContain("'../../one/src/orders/order-input.ts'");
    expect(texts.get('docs/page.md')).toBe(
      'See `apps/one/src/orders/order-input.ts`, or order-input.ts; not border-wish.ts.\n',
    );
  });
});

it('corrects imports by the name of a package', () => {
  const texts = renamed(
    {
      'apps/console/src/screens/places.ts': 'export const one = 1;\n',
      'apps/console/src/main.ts':
        "import { one } from '#screens/places.ts';\nexport default one;\n",
      'packages/kernel/src/chance.ts': 'export const two = 2;\n',
      'packages/kernel/src/ids.ts': "import { two } from '#chance';\nexport default two;\n",
      [TWO]: "import { two } from '@holdfast/kernel/chance';\nexport default two;\n",
    },
    `apps/console/src/screens/places.ts apps/console/src/screens/routes.ts
     packages/kernel/src/chance.ts packages/kernel/src/random.ts`,
  );
  expect(texts.get('apps/console/src/main.ts')).toContain("'#screens/routes.ts'");
  expect(texts.get('packages/kernel/src/ids.ts')).toContain("'#random'");
  expect(texts.get(TWO)).toContain("'@holdfast/kernel/random'");
});

describe('readRenames', () => {
  it('refuses a line that names no new name, or too much', () => {
    expect(() => readRenames('wish')).toThrow('line 1');
    expect(() => readRenames('# names\nwish input apps/ tests/')).toThrow('line 2');
  });
});
