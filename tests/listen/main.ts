//! `npm run test:listen`: `holdfast listen` killed 20 times during 500 events; nothing is lost.
import { parseArgs } from 'node:util';
import { runListen } from './run-listen.ts';

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '500' },
    kills: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
  },
});

const say = (text: string) => process.stdout.write(`${text}\n`);

const verdict = await runListen({
  events: Number(values.events),
  kills: Number(values.kills),
  seed: Number(values.seed),
  say,
});
const { events, kills, missing, outOfOrder, repeats, failedAnswers, unsigned, seconds } = verdict;
const isGood = missing === 0 && outOfOrder === 0 && unsigned === 0 && events > 0;
say(
  `${isGood ? 'KEPT' : 'BROKEN'}: ${events} events, ${kills} kills, ${missing} lost, ` +
    `${outOfOrder} out of order, ${repeats} came again, ${failedAnswers} answered 500, ` +
    `${unsigned} without a right signature, ${seconds.toFixed(1)} s`,
);
process.exitCode = isGood ? 0 : 1;
