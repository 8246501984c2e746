//! Raw text, such as JSON: never rendered as HTML, scrolled within its frame, and easy to copy.
import { Button, CopyButton, Group } from '@mantine/core';

interface Props {
  readonly text: string;
  readonly label: string;
}

export function RawText({ text, label }: Props) {
  return (
    <div>
      <Group justify="flex-end" mb={4}>
        <CopyButton value={text}>
          {({ copied, copy }) => (
            <Button size="compact-xs" variant="default" onClick={copy}>
              {copied ? 'Copied' : 'Copy'}
            </Button>
          )}
        </CopyButton>
      </Group>
      <section
        className="hf-scroll"
        aria-label={label}
        style={{ maxHeight: 420 }}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys.
        tabIndex={0}
      >
        <pre className="hf-id hf-text" style={{ margin: 0 }}>
          {text}
        </pre>
      </section>
    </div>
  );
}

export function RawJson({ value, label }: { readonly value: unknown; readonly label: string }) {
  return <RawText text={JSON.stringify(value, null, 2)} label={label} />;
}
