//! A command that proves something from outside the service, ready to be copied.
import { Code } from '@mantine/core';
import { CopyId } from '#parts/copy-id.tsx';

export function CommandHint({ command }: { readonly command: string }) {
  return (
    <span className="hf-id-group">
      <Code>{command}</Code>
      <CopyId id={command} />
    </span>
  );
}
