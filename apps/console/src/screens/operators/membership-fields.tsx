//! In which marketplaces somebody has which role: all of them, chosen from a list.
import { OPERATOR_ROLES } from '@holdfast/contract/words';
import type { OperatorRole } from '@holdfast/sdk';
import { MultiSelect, Select } from '@mantine/core';
import { useRead } from '#app/read.ts';
import { ErrorNote } from '#parts/error-note.tsx';
import {
  marketplaceNames,
  type NamedMarketplace,
  type WantedRole,
} from '#screens/operators/membership-words.ts';

const ROLE_WORDS: Readonly<Record<OperatorRole, string>> = {
  viewer: 'viewer: sees everything, changes nothing',
  support: 'support: disputes, releases, refunds, cancellations',
  finance: 'finance: adjustments, withdrawals, reconciliation',
  admin: 'admin: all of that, and keys and webhooks',
};
const ROLES = OPERATOR_ROLES.map((role) => ({ value: role, label: ROLE_WORDS[role] }));
/** More than anybody scrolls through. */
const LISTED_MAX = 1_000;

/** What there is to choose from, and those somebody has already. */
export function useMarketplaces(own: readonly NamedMarketplace[] = []) {
  const { data, error } = useRead('Operator', ['marketplaces'], (holdfast, signal) =>
    holdfast.marketplaces.list({ limit: 100 }, { signal }).toArray(LISTED_MAX),
  );
  const listed: readonly NamedMarketplace[] = data ?? [];
  const known = new Set(listed.map(({ id }) => id));
  const all = [...listed, ...own.filter(({ id }) => !known.has(id))];
  return { names: marketplaceNames(all), error };
}

interface Props {
  readonly names: ReadonlyMap<string, string>;
  readonly error: unknown;
  readonly value: readonly WantedRole[];
  readonly change: (value: readonly WantedRole[]) => void;
}

export function MembershipFields({ names, error, value, change }: Props) {
  const choose = (ids: readonly string[]) =>
    change(
      ids.map(
        (marketplaceId) =>
          value.find((one) => one.marketplaceId === marketplaceId) ?? {
            marketplaceId,
            role: 'viewer',
          },
      ),
    );
  const give = (marketplaceId: string, role: OperatorRole) =>
    change(value.map((one) => (one.marketplaceId === marketplaceId ? { ...one, role } : one)));
  return (
    <>
      <MultiSelect
        label="Marketplaces"
        description="Without a role in one they see nothing of it."
        placeholder={value.length === 0 ? 'Choose by name' : ''}
        data={[...names].map(([id, label]) => ({ value: id, label }))}
        searchable
        maxDropdownHeight={220}
        nothingFoundMessage="No marketplace is called that"
        value={value.map(({ marketplaceId }) => marketplaceId)}
        onChange={choose}
      />
      {error !== null && <ErrorNote error={error} />}
      {value.map(({ marketplaceId, role }) => (
        <Select
          key={marketplaceId}
          label={`Role in ${names.get(marketplaceId) ?? marketplaceId}`}
          data={ROLES}
          allowDeselect={false}
          value={role}
          onChange={(chosen) => chosen !== null && give(marketplaceId, chosen)}
        />
      ))}
    </>
  );
}
