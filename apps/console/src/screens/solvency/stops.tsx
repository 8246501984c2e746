//! The stops of this marketplace: set by one operator, lifted by two.
import { FINANCE } from '@holdfast/contract/roles';
import type { MarketplaceStop } from '@holdfast/sdk';
import { Group, Stack, Text } from '@mantine/core';
import { useSession } from '#app/session/session.tsx';
import { useStops } from '#app/stop-banner.tsx';
import { ActionButton } from '#parts/action/action-button.tsx';
import { EffectList } from '#parts/action/effect-list.tsx';
import { Actor } from '#parts/actor.tsx';
import { Loaded } from '#parts/loaded.tsx';
import { Moment } from '#parts/moment.tsx';
import { Panel } from '#parts/panel.tsx';
import { LEVELS, levelName, stopLines, stopTitle } from '#parts/words/stop-words.ts';

const TOUCHED = ['Marketplace', 'Audit'] as const;

export function Stops() {
  const stops = useStops();
  return (
    <Panel title="Stops">
      <Loaded of={stops}>
        {({ standing }) => (
          <Stack gap="sm">
            {standing.length === 0 && (
              <Text size="sm">
                No stop stands. Set one if something is wrong: it holds at once.
              </Text>
            )}
            {standing.map((stop) => (
              <Standing key={stop.level} stop={stop} />
            ))}
            <Group>
              {LEVELS.filter((level) => !standing.some((stop) => stop.level === level)).map(
                (level) => (
                  <SetStop key={level} level={level} />
                ),
              )}
            </Group>
          </Stack>
        )}
      </Loaded>
    </Panel>
  );
}

function Standing({ stop }: { readonly stop: MarketplaceStop }) {
  const { holdfast, marketplaceId } = useSession();
  const { level, reason, stoppedBy, stoppedAt, settledAt } = stop;
  return (
    <Group justify="space-between">
      <Text size="sm" className="hf-text">
        <b>{stopTitle(level)}</b>: {reason} Set <Moment at={stoppedAt} /> by{' '}
        <Actor id={stoppedBy} />.{' '}
        {settledAt === null ? (
          'Requests that had started before are still ending.'
        ) : (
          <>
            Holds in every process since <Moment at={settledAt} />.
          </>
        )}
      </Text>
      <ActionButton
        label={`Lift: ${levelName(level)}`}
        roles={FINANCE}
        title={`Lift the stop: ${levelName(level)}`}
        effect="Another operator has to approve. Then work that waits continues by itself."
        confirm="Request approval"
        touches={TOUCHED}
        run={(why) =>
          holdfast.marketplaces
            .liftStop(marketplaceId, { level, reason: why }, { reason: why })
            .outcome()
        }
      />
    </Group>
  );
}

function SetStop({ level }: { readonly level: MarketplaceStop['level'] }) {
  const { holdfast, marketplaceId } = useSession();
  return (
    <ActionButton
      label={`Stop: ${levelName(level)}`}
      roles={FINANCE}
      title={`Stop this marketplace: ${levelName(level)}`}
      effect={<EffectList lines={stopLines(level)} />}
      confirm="Stop now"
      done={stopTitle(level)}
      touches={TOUCHED}
      reasonHint="Recorded in the audit log with your name, and returned to rejected calls"
      run={async (reason) =>
        holdfast.marketplaces.stop(marketplaceId, { level, reason }, { reason })
      }
    />
  );
}
