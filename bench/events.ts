//! `npm run bench:events`: the event log from the outbox to the reader.
import { say } from '../tests/harness/report.ts';
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

await runBench({ name: 'npm run bench:events', options, note: NOTE }, async (told) => {
  const outcomes: Outcome[] = [];
  for (const name of told.only) {
    say(`── ${name}`);
    outcomes.push(await measurements[name](told));
  }
  return joinOutcomes(outcomes);
});
