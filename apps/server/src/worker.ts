//! The worker process: runs the background jobs until it is told to stop.
import { ConfigurationFault, readConfig } from './config.ts';
import { jobs } from './jobs/jobs.ts';
import { checkDatabase } from './platform/boot-checks.ts';
import { runJobs } from './platform/scheduler.ts';
import { stopOnSignal } from './platform/shutdown.ts';
import { wire } from './wire.ts';

async function main(): Promise<void> {
  const config = readConfig(process.env);
  const app = wire(config, 'worker');
  await checkDatabase(app.pool, config, app.log);
  const running = runJobs(app, jobs);
  stopOnSignal(app.log, config.HOLDFAST_SHUTDOWN_MS, async () => {
    await running.stop();
    await app.close();
  });
  app.log.info({ jobs: jobs.map(({ name }) => name) }, 'run worker');
  process.stdout.write(`${JSON.stringify({ working: true })}\n`);
}

main().catch((error: Error) => {
  process.stderr.write(`${error instanceof ConfigurationFault ? error.message : error.stack}\n`);
  process.exit(1);
});
