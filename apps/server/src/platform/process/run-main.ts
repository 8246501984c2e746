//! Runs a process's main function; a failure is printed on standard error, with exit code 1.
import { ConfigurationFault } from '../config/config.ts';

export function runMain(main: () => Promise<void>): void {
  main().catch((error: Error) => {
    // The operator must fix a configuration fault: the list is complete, so no stack is printed.
    const text = error instanceof ConfigurationFault ? error.message : error.stack;
    process.stderr.write(`${text}\n`);
    process.exit(1);
  });
}
