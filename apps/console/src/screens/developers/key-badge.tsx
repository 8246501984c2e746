//! The state of a key, updated as time passes: a key can expire.
import type { ApiKey } from '@holdfast/sdk';
import { StateBadge } from '#parts/state-badge.tsx';
import { useTimely } from '#parts/tick.ts';
import { type KeyState, keyState } from '#screens/developers/key-state.ts';

export function useKeyState(apiKey: ApiKey): KeyState {
  return useTimely((nowMs) => keyState(apiKey, nowMs));
}

export function KeyBadge({ apiKey }: { readonly apiKey: ApiKey }) {
  return <StateBadge state={useKeyState(apiKey)} />;
}
