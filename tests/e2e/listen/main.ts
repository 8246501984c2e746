//! `npm run test:listen`: `holdfast listen` killed 20 times during 500 events; nothing is lost.
import { count, flag, seed } from '../../harness/options.ts';
import { print } from '../../harness/report.ts';
import { runHarness } from '../../harness/run.ts';
import { runListen } from './run-listen.ts';

const options = {
  quick: flag('the short form that the tests run'),
  events: count('events that a marketplace emits', { full: 500, quick: 60 }),
  kills: count('times that `holdfast listen` is killed meanwhile', {
    full: 20,
    quick: 3,
    least: 0,
  }),
  seed: seed('when it is killed, and which responses fail', 1),
};

await runHarness({ name: 'npm run test:listen', options }, async (values) => {
  const verdict = await runListen({ ...values, print });
  const { events, kills, missing, outOfOrder, repeats, failedResponses, unsigned, seconds } =
    verdict;
  print(
    `${events} events, ${kills} kills, ${repeats} repeated, ${failedResponses} returned 500, ` +
      `${seconds.toFixed(1)} s`,
  );
  const wrong = {
    lost: missing,
    'out of order': outOfOrder,
    'without a valid signature': unsigned,
  };
  return [
    ...(events > 0 ? [] : ['there were no events']),
    ...Object.entries(wrong).flatMap(([what, times]) => (times > 0 ? [`${times} ${what}`] : [])),
  ];
});
