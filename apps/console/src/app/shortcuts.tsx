//! Keys that work on every screen. None of them changes anything but the view.
import { Group, Kbd, Modal } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useRef } from 'react';
import { useGo } from '#app/go.tsx';
import { ShortTable } from '#parts/table/short-table.tsx';
import type { Column } from '#parts/table/table-columns.tsx';

const GO_TO: Readonly<Record<string, string>> = {
  h: '/',
  o: '/orders',
  d: '/disputes',
  a: '/approvals',
  u: '/users',
  w: '/withdrawals',
  p: '/operations',
  r: '/reconciliation',
  e: '/events',
};
const CHORD_MS = 1_200;

interface Openers {
  readonly openSearch: () => void;
  readonly openHelp: () => void;
}

/** ⌘K and / search, ? helps, g and a letter goes to a screen. */
export function useShortcuts({ openSearch, openHelp }: Openers): void {
  const go = useGo();
  const chordUntil = useRef(0);
  const second = (letter: string) => () => {
    if (performance.now() < chordUntil.current) go(GO_TO[letter] ?? '/');
    chordUntil.current = 0;
  };
  const first = () => {
    chordUntil.current = performance.now() + CHORD_MS;
  };
  useHotkeys([['mod+K', openSearch]], []);
  useHotkeys([
    ['/', openSearch],
    ['shift+?', openHelp],
    ['g', first],
    ...Object.keys(GO_TO).map((letter): [string, () => void] => [letter, second(letter)]),
  ]);
}

type Shortcut = readonly [keys: readonly string[], means: string];

const HELP: readonly Shortcut[] = [
  [
    ['⌘K', 'Ctrl K', '/'],
    'Search by ID, reference, transaction hash, blockchain address or email address',
  ],
  [['j', 'k'], 'Next or previous table row'],
  [['Enter'], 'Open the selected row'],
  [['Esc'], 'Close the dialog or drawer'],
  [['g h', 'g o', 'g d'], 'Go to Home, Orders, Disputes'],
  [['g a', 'g u', 'g w'], 'Go to Approvals, Users, Withdrawals'],
  [['g p', 'g r', 'g e'], 'Go to Operations, Reconciliation, Events'],
  [['?'], 'Show keyboard shortcuts'],
];

const COLUMNS: readonly Column<Shortcut>[] = [
  { title: 'Keys', show: ([keys]) => <Keys keys={keys} /> },
  { title: 'Action', show: ([, description]) => description },
];

function Keys({ keys }: { readonly keys: readonly string[] }) {
  return (
    <Group gap={6} wrap="nowrap">
      {keys.map((key) => (
        <Kbd key={key}>{key}</Kbd>
      ))}
    </Group>
  );
}

export function ShortcutHelp({ isOpen, close }: { isOpen: boolean; close: () => void }) {
  return (
    <Modal opened={isOpen} onClose={close} title="Keyboard shortcuts" size="lg">
      <ShortTable
        label="Keyboard shortcuts"
        columns={COLUMNS}
        rows={HELP}
        idOf={([, description]) => description}
      />
    </Modal>
  );
}
