//! The program `holdfast` with all of its commands. Building it has no effects, so that help,
//! completion and documents can be read from it.
import { Command, Option } from 'commander';
import { usageFault } from './command-fault.ts';
import { codeCommand } from './commands/code.ts';
import { completionCommand } from './commands/completion.ts';
import { debtsCommand } from './commands/debts.ts';
import { disputesCommand } from './commands/disputes.ts';
import { doctorCommand } from './commands/doctor.ts';
import { eventsCommand } from './commands/events.ts';
import { showExamples } from './commands/examples.ts';
import { explainCommand } from './commands/explain.ts';
import { healthCommand } from './commands/health.ts';
import { keysCommand } from './commands/keys.ts';
import { listenCommand } from './commands/listen.ts';
import { openCommand } from './commands/open.ts';
import { ordersCommand } from './commands/orders.ts';
import { topupsCommand, withdrawalsCommand } from './commands/payments.ts';
import { reconCommand } from './commands/recon.ts';
import { recoverCommand } from './commands/recover.ts';
import type { GlobalOptions, ProgramWorld } from './commands/run.ts';
import { clockCommand, faultCommand } from './commands/sandbox.ts';
import { secretsCommand } from './commands/secrets.ts';
import { setupSandboxCommand } from './commands/setup-sandbox.ts';
import { stopsCommand } from './commands/stops.ts';
import { termsCommand } from './commands/terms.ts';
import { triggerCommand } from './commands/trigger.ts';
import { usersCommand } from './commands/users.ts';
import { verifyCommand } from './commands/verify.ts';
import { verifyArchiveCommand } from './commands/verify-archive.ts';
import { webhooksCommand } from './commands/webhooks.ts';
import { devCommand } from './dev.ts';
import { exitLines } from './exit-codes.ts';
import { roleCommands } from './roles.ts';
import { faultJson, faultLines } from './terminal/failure.ts';
import { type Style, styleFor } from './terminal/style.ts';
import { VERSION } from './version.ts';

/** In help each group has its head, in this order. */
const GROUPS = {
  start: 'Getting started:',
  work: 'Marketplace:',
  test: 'Sandbox:',
  prove: 'Checks and tools:',
  run: 'Server processes:',
} as const;

type Add = (world: ProgramWorld, program: Command) => void;

const COMMANDS: Readonly<Record<keyof typeof GROUPS, readonly Add[]>> = {
  start: [
    (_, program) => void program.addCommand(devCommand()),
    listenCommand,
    triggerCommand,
    explainCommand,
    codeCommand,
    doctorCommand,
  ],
  work: [
    ordersCommand,
    usersCommand,
    disputesCommand,
    topupsCommand,
    withdrawalsCommand,
    debtsCommand,
    webhooksCommand,
    eventsCommand,
    keysCommand,
    stopsCommand,
    termsCommand,
  ],
  test: [clockCommand, faultCommand, setupSandboxCommand],
  prove: [verifyCommand, verifyArchiveCommand, reconCommand, openCommand, completionCommand],
  run: [
    (_, program) => {
      for (const role of roleCommands()) program.addCommand(role);
    },
    healthCommand,
    secretsCommand,
    recoverCommand,
  ],
};

const AFTER = `
Commands find the server and the API key in this order: --url and --api-key; HOLDFAST_URL and
HOLDFAST_API_KEY; the \`holdfast dev\` running in this folder or a parent folder. Creating,
rotating and revoking keys also requires the master key: HOLDFAST_MASTER_KEY, or the key of a
running \`holdfast dev\`.

Exit codes:
${exitLines().join('\n')}`;

export function buildProgram(world: ProgramWorld): Command {
  const program = new Command('holdfast')
    .description('Escrow and balances for marketplaces.')
    .version(VERSION, '-V, --version', 'print the version')
    .addOption(new Option('--url <url>', 'URL of the server'))
    .addOption(new Option('--api-key <key>', 'API key of the marketplace'))
    .addOption(new Option('--json', 'print JSON; streams print one value per line'))
    .addHelpText('after', AFTER)
    .helpCommand(true)
    .showSuggestionAfterError(true)
    .configureOutput({
      writeOut: (text) => void world.stdout.write(text),
      writeErr: (text) => void world.stderr.write(text),
      outputError: (text, write) => {
        const { json } = program.opts<GlobalOptions>();
        write(wrongLine(text, json === true, styleFor(world.stderr.isTTY === true, world.env)));
      },
    });
  for (const [group, adds] of Object.entries(COMMANDS)) {
    program.commandsGroup(GROUPS[group as keyof typeof GROUPS]);
    for (const add of adds) add(world, program);
  }
  showExamples(program);
  for (const command of allOf(program)) {
    command.exitOverride();
    command.configureHelp({ showGlobalOptions: true, sortSubcommands: false });
    if (command !== program) command.copyInheritedSettings(program);
  }
  return program;
}

/** What Commander says of a wrong command line, in the form of all other faults. */
function wrongLine(text: string, isJson: boolean, style: Style): string {
  const [what = '', near] = text
    .trim()
    .replace(/^error: /, '')
    .split('\n');
  const fault = usageFault(
    what,
    near?.replace(/^\(|\)$/g, '') ?? 'run the command with --help for usage',
  );
  const lines = isJson ? [JSON.stringify(faultJson(fault))] : faultLines(fault, style);
  return `${lines.join('\n')}\n`;
}

/** The program and every command below it. */
export function allOf(command: Command): Command[] {
  return [command, ...command.commands.flatMap(allOf)];
}
