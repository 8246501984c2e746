//! Personal data: masked as the service sends it, shown when somebody says why.
import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { ActionDialog } from '#parts/action-dialog.tsx';

interface Props {
  readonly value: string | null | undefined;
  /** What it is, as in "the e-mail address". */
  readonly what: string;
  /** Absent where the role may not. Answers the value itself. */
  readonly reveal?: ((reason: string) => Promise<string | null>) | undefined;
}

export function Masked({ value, what, reveal }: Props) {
  const [shown, setShown] = useState<string | null>();
  const [isAsking, setAsking] = useState(false);
  if (value === null || value === undefined) return <span>–</span>;
  return (
    <Group gap={6} component="span" display="inline-flex">
      <span className="hf-text">{shown ?? value}</span>
      {reveal && shown === undefined && (
        <Button size="compact-xs" variant="default" onClick={() => setAsking(true)}>
          Reveal
        </Button>
      )}
      {reveal && (
        <ActionDialog
          isOpen={isAsking}
          close={() => setAsking(false)}
          title={`Reveal ${what}`}
          effect={`Shows ${what} on this page until you leave it. Who looked, and why, is written to the audit log.`}
          confirm="Reveal"
          run={async (reason) => setShown(await reveal(reason))}
        />
      )}
    </Group>
  );
}
