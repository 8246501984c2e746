//! The equations: of the whole deployment, and of this marketplace's part in it.
import type { Solvency, SolvencyPart } from '@holdfast/sdk';
import { Divider, SimpleGrid, Text } from '@mantine/core';
import { Facts } from '#parts/facts.tsx';
import { Amount } from '#parts/money/amount.tsx';
import { Panel } from '#parts/panel.tsx';
import { StateBadge } from '#parts/state-badge.tsx';
import {
  assetsOf,
  isNothing,
  liabilitiesOf,
  owedBy,
  type Side,
  sourcesOf,
} from '#screens/solvency/equation.ts';
import { SideTable } from '#screens/solvency/side-table.tsx';

type Group = NonNullable<Solvency['deployment']>['groups'][number];

export function DeploymentEquation({ group }: { readonly group: Group }) {
  const { asset } = group;
  const amount = (text: string) => <Amount amount={text} currency={asset} />;
  return (
    <Panel
      title={`All marketplaces, ${backing(group)}`}
      actions={<StateBadge state={group.status} />}
    >
      <Sides sides={[assetsOf(group), liabilitiesOf(group)]} asset={asset} />
      <Divider my="md" />
      <Facts
        rows={[
          [
            'Difference',
            <Amount key="difference" amount={group.difference} currency={asset} isStrong />,
          ],
          ['Payment provider difference', amount(group.atPaymentProvider)],
          ['In transit', amount(group.inFlight)],
          ['Tolerance', amount(group.tolerance)],
        ]}
      />
    </Panel>
  );
}

export function MarketplaceEquation({ part }: { readonly part: SolvencyPart }) {
  const sides = [owedBy(part), sourcesOf(part)];
  return (
    <Panel title={`This marketplace, ${backing(part)}`}>
      <Sides sides={sides} asset={part.asset} />
      <Text size="sm" c="dimmed" mt="sm">
        Last known balance of user addresses:{' '}
        <Amount amount={part.atAddresses} currency={part.asset} />
      </Text>
    </Panel>
  );
}

interface SidesProps {
  readonly sides: readonly Side[];
  readonly asset: string;
}

/** Both start at one height, however many terms each has. */
function Sides({ sides, asset }: SidesProps) {
  if (sides.every(isNothing)) {
    return <Text size="sm">No assets or liabilities in {asset}.</Text>;
  }
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl" style={{ alignItems: 'start' }}>
      {sides.map((side) => (
        <SideTable key={side.title} side={side} currency={asset} />
      ))}
    </SimpleGrid>
  );
}

function backing({ asset, backs }: { asset: string; backs: readonly string[] }): string {
  return `${asset} (backs ${backs.join(' and ')})`;
}
