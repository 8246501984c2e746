//! A command to copy that proves a claim independently of the service.
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
