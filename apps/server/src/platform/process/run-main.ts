//! Runs a process's main function; a failure is printed on standard error, with exit code 1.
import { ConfigurationFault } from '../config/config.ts';
import { StartFault } from './start-fault.ts';

export function runMain(main: () => Promise<void>): void {
  main().catch((error: Error) => {
    // The operator must fix it, and the text says what: no stack is printed.
    const isFault = error instanceof ConfigurationFault || error instanceof StartFault;
    process.stderr.write(`${isFault ? error.message : error.stack}\n`);
    process.exit(1);
  });
}
