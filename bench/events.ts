//! `npm run bench:events`: the event log from the outbox to the reader.
import { print } from '../tests/harness/report.ts';
import { NOTE, options } from './events/options.ts';
import { measureReplay } from './events/replay.ts';
import { measureSequencer } from './events/sequencer.ts';
import { measureStreams } from './events/streams.ts';
import { joinOutcomes, type Outcome, runBench } from './harness/verdict.ts';

const measurements = {
  streams: measureStreams,
  sequencer: measureSequencer,
  replay: measureReplay,
};

await runBench({ name: 'npm run bench:events', options, note: NOTE }, async (values) => {
  const outcomes: Outcome[] = [];
  for (const name of values.only) {
    print(`── ${name}`);
    outcomes.push(await measurements[name](values));
  }
  return joinOutcomes(outcomes);
});
