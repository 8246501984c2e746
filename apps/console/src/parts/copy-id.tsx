//! A button that copies a whole id, even where it is shown shortened.
import { useClipboard } from '@mantine/hooks';
import { Icon } from '#parts/icons.tsx';

interface Props {
  readonly id: string;
  /** Only for the mouse: the page of the thing itself copies by keys too. */
  readonly isMouseOnly?: boolean;
}

/** A plain button: a long table has hundreds of them, and scrolls past them. */
export function CopyId({ id, isMouseOnly = false }: Props) {
  const { copied, copy } = useClipboard();
  return (
    <button
      type="button"
      className="hf-copy"
      title={copied ? 'Copied' : 'Copy'}
      data-copied={copied}
      onClick={() => copy(id)}
      tabIndex={isMouseOnly ? -1 : 0}
      aria-label={`Copy ${id}`}
    >
      <Icon name={copied ? 'check' : 'copy'} size={13} />
    </button>
  );
}
