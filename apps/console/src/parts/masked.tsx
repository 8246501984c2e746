//! Personal data: masked by the service, revealed when the operator gives a reason.
import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { ActionDialog } from '#parts/action/action-dialog.tsx';

interface Props {
  readonly value: string | null | undefined;
  /** What it is, as in "the email address". */
  readonly what: string;
  /** Absent where the role may not. Returns the value itself. */
  readonly reveal?: ((reason: string) => Promise<string | null>) | undefined;
}

export function Masked({ value, what, reveal }: Props) {
  const [shown, setShown] = useState<string | null>();
  const [isConfirming, setConfirming] = useState(false);
  if (value === null || value === undefined) return <span>–</span>;
  return (
    <Group gap={6} component="span" display="inline-flex">
      <span className="hf-text">{shown ?? value}</span>
      {reveal && shown === undefined && (
        <Button size="compact-xs" variant="default" onClick={() => setConfirming(true)}>
          Reveal
        </Button>
      )}
      {reveal && (
        <ActionDialog
          isOpen={isConfirming}
          close={() => setConfirming(false)}
          title={`Reveal ${what}`}
          effect={`Shows ${what} until you leave this page. Your name and reason are recorded in the audit log.`}
          confirm="Reveal"
          done={`Showing ${what}`}
          run={async (reason) => setShown(await reveal(reason))}
        />
      )}
    </Group>
  );
}
