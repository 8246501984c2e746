//! Evidence as it was submitted: text. An address is shown whole before a reader opens it.
import { Anchor, Stack, Text } from '@mantine/core';
import { safeAddress } from '#screens/dispute/safe-address.ts';

export function Evidence({ evidence }: { readonly evidence: readonly string[] }) {
  if (evidence.length === 0)
    return <Text size="sm">No evidence was submitted with the dispute.</Text>;
  return (
    <Stack gap={4} component="ul" m={0} pl="md">
      {evidence.map((text) => {
        const address = safeAddress(text);
        return (
          <Text key={text} component="li" size="sm" className="hf-text">
            {text}{' '}
            {address !== undefined && (
              <Anchor
                href={address}
                target="_blank"
                rel="noopener noreferrer nofollow"
                referrerPolicy="no-referrer"
                size="sm"
              >
                Open {new URL(address).host}
              </Anchor>
            )}
          </Text>
        );
      })}
    </Stack>
  );
}
