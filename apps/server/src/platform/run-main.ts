//! Runs a process's main function; what stops it is said on standard error, and it ends with 1.
import { ConfigurationFault } from '../config.ts';

export function runMain(main: () => Promise<void>): void {
  main().catch((error: Error) => {
    // A fault in the configuration is the operator's to mend: the list says all of it.
    const said = error instanceof ConfigurationFault ? error.message : error.stack;
    process.stderr.write(`${said}\n`);
    process.exit(1);
  });
}
