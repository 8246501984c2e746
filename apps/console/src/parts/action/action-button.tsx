//! The button of an action: shows why it is disabled, and opens the action's dialog.
import type { OperatorRole } from '@holdfast/sdk';
import { Button, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMay } from '#app/session/session.tsx';
import { ActionDialog, type ActionProps } from '#parts/action/action-dialog.tsx';
import { requiredRoles } from '#parts/words/role-words.ts';

interface Props extends Omit<ActionProps, 'isOpen' | 'close'> {
  readonly label: string;
  readonly roles: readonly OperatorRole[];
  /** Why it cannot be done now; undefined when it can. */
  readonly whyNot?: string | undefined;
  readonly isPrimary?: boolean;
  readonly isSmall?: boolean;
}

export function ActionButton({
  label,
  roles,
  whyNot,
  isPrimary = false,
  isSmall = false,
  ...action
}: Props) {
  const [isOpen, dialog] = useDisclosure();
  const isMine = useMay(roles);
  const why = isMine ? whyNot : requiredRoles(roles);
  const isOff = why !== undefined;
  return (
    <>
      <Tooltip label={why} disabled={!isOff}>
        <Button
          variant={isPrimary ? 'filled' : 'default'}
          size={isSmall ? 'compact-sm' : 'sm'}
          aria-disabled={isOff}
          data-disabled={isOff || undefined}
          onClick={isOff ? undefined : dialog.open}
        >
          {label}
        </Button>
      </Tooltip>
      <ActionDialog isOpen={isOpen} close={dialog.close} {...action} />
    </>
  );
}
