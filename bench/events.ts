//! `npm run bench:events`: the event log from the outbox to the reader.
import { say } from './events/figures.ts';
import { type Measurement, readOptions } from './events/options.ts';
import { measureReplay } from './events/replay.ts';
import { measureSequencer } from './events/sequencer.ts';
import { measureStreams } from './events/streams.ts';

const measurements = {
  streams: measureStreams,
  sequencer: measureSequencer,
  replay: measureReplay,
} satisfies Record<Measurement, unknown>;

const options = readOptions(process.argv.slice(2));
if (options !== undefined) {
  for (const name of options.only) {
    say(`── ${name}`);
    const isReached = await measurements[name](options);
    if (!isReached && options.isStrict) process.exitCode = 1;
  }
}
