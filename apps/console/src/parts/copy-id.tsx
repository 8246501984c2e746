//! Copies an id as a whole, however short it is shown.
import { ActionIcon, CopyButton, Tooltip } from '@mantine/core';
import { Icon } from '#parts/icons.tsx';

interface Props {
  readonly id: string;
  /** Only for the mouse: the page of the thing itself copies by keys too. */
  readonly isMouseOnly?: boolean;
}

export function CopyId({ id, isMouseOnly = false }: Props) {
  return (
    <CopyButton value={id}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? 'Copied' : 'Copy'}>
          <ActionIcon
            variant="subtle"
            color={copied ? 'teal' : 'gray'}
            size="xs"
            onClick={copy}
            className="hf-copy"
            tabIndex={isMouseOnly ? -1 : 0}
            aria-label={`Copy ${id}`}
          >
            <Icon name={copied ? 'check' : 'copy'} size={13} />
          </ActionIcon>
        </Tooltip>
      )}
    </CopyButton>
  );
}
