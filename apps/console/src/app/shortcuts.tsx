//! Keys that work on every screen. None of them changes anything but the view.
import { Kbd, Modal, Table } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useRef } from 'react';
import { useGo } from '#app/go.tsx';

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

const HELP: readonly (readonly [string, string])[] = [
  ['⌘K, Ctrl K or /', 'Find anything by its id, reference, hash, address or e-mail'],
  ['j and k', 'Next and previous row of a table'],
  ['Enter', 'Open the row'],
  ['Esc', 'Close what is open'],
  ['g then h, o, d, a, u', 'Home, Orders, Disputes, Approvals, Users'],
  ['g then w, p, r, e', 'Withdrawals, Operations, Reconciliation, Events'],
  ['?', 'This list'],
];

export function ShortcutHelp({ isOpen, close }: { isOpen: boolean; close: () => void }) {
  return (
    <Modal opened={isOpen} onClose={close} title="Shortcuts">
      <Table>
        <Table.Tbody>
          {HELP.map(([keys, means]) => (
            <Table.Tr key={keys}>
              <Table.Td>
                <Kbd>{keys}</Kbd>
              </Table.Td>
              <Table.Td>{means}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Modal>
  );
}
