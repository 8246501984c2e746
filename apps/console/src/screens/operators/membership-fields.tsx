//! The fields for an operator's roles in marketplaces.
import { OPERATOR_ROLES } from '@holdfast/contract/enums';
import type { OperatorRole } from '@holdfast/sdk';
import { MultiSelect, Select } from '@mantine/core';
import { useRead } from '#app/read.ts';
import { ErrorAlert } from '#parts/error-alert.tsx';
import {
  marketplaceNames,
  type NamedMarketplace,
  type WantedRole,
} from '#parts/words/membership-words.ts';

const ROLE_WORDS: Readonly<Record<OperatorRole, string>> = {
  viewer: 'viewer: view all data, no changes',
  support: 'support: disputes, releases, refunds, cancellations',
  finance: 'finance: adjustments, withdrawals, reconciliation',
  admin: 'admin: all of these, plus API keys and webhooks',
};
const ROLES = OPERATOR_ROLES.map((role) => ({ value: role, label: ROLE_WORDS[role] }));
/** More than a person scrolls through. */
const LISTED_MAX = 1_000;

/** The marketplaces to choose from, and those that the operator has already. */
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
        description="An operator sees only marketplaces with an assigned role."
        placeholder={value.length === 0 ? 'Choose marketplaces' : ''}
        data={[...names].map(([id, label]) => ({ value: id, label }))}
        searchable
        maxDropdownHeight={220}
        nothingFoundMessage="No matching marketplaces"
        value={value.map(({ marketplaceId }) => marketplaceId)}
        onChange={choose}
      />
      {error !== null && <ErrorAlert error={error} />}
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
