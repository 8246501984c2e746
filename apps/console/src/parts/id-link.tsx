//! An id: leads to what it names, and can be copied.
import { ActionIcon, CopyButton, Group, Tooltip } from '@mantine/core';
import { Go } from '#app/go.tsx';
import { placeOfId } from '#app/places.ts';

interface Props {
  readonly id: string | null | undefined;
  /** Where it leads, if its prefix does not say; null for nowhere. */
  readonly to?: string | null;
  /** Without a button beside it: for tables. */
  readonly isBare?: boolean;
}

export function IdLink({ id, to, isBare = false }: Props) {
  if (id === null || id === undefined || id === '') return <span>–</span>;
  const place = to === undefined ? placeOfId(id) : (to ?? undefined);
  const text =
    place === undefined ? (
      <span className="hf-id">{id}</span>
    ) : (
      <Go to={place} className="hf-id">
        {id}
      </Go>
    );
  if (isBare) return text;
  return (
    <Group component="span" gap={4} wrap="nowrap" display="inline-flex">
      {text}
      <CopyButton value={id}>
        {({ copied, copy }) => (
          <Tooltip label={copied ? 'Copied' : 'Copy'}>
            <ActionIcon
              variant="subtle"
              color="gray"
              size="xs"
              onClick={copy}
              aria-label={`Copy ${id}`}
            >
              {copied ? '✓' : '⧉'}
            </ActionIcon>
          </Tooltip>
        )}
      </CopyButton>
    </Group>
  );
}
