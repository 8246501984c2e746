//! A drawer at the side. Escape closes a dialog over it first, then the drawer.
import { Drawer } from '@mantine/core';
import { useId, useWindowEvent } from '@mantine/hooks';
import type { ReactNode } from 'react';

interface Props {
  readonly isOpen: boolean;
  readonly close: () => void;
  readonly title: string;
  readonly size?: 'lg' | 'xl';
  readonly children: ReactNode;
}

export function SideDrawer({ isOpen, close, title, size = 'lg', children }: Props) {
  const id = useId();
  useWindowEvent('keydown', (event) => {
    if (isOpen && event.key === 'Escape' && isInDrawer(id, event.target)) close();
  });
  return (
    <Drawer
      id={id}
      opened={isOpen}
      onClose={close}
      closeOnEscape={false}
      position="right"
      size={size}
      title={title}
    >
      {children}
    </Drawer>
  );
}

/** The keyboard is in the drawer, not in a dialog over it; a list that is open closes first. */
function isInDrawer(id: string, target: EventTarget | null): boolean {
  if (!(target instanceof Element) || target === document.body) return true;
  if (target.getAttribute('data-mantine-stop-propagation') === 'true') return false;
  return document.getElementById(id)?.contains(target) ?? false;
}
