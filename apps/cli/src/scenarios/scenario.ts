//! The context of a scenario: a marketplace, the sandbox, and a receiver of its steps.
import type { Holdfast, User } from '@holdfast/sdk';
import type { Sandbox } from './sandbox.ts';

export interface ScenarioContext {
  readonly holdfast: Holdfast;
  /** The users of the scenario by name: each is created once. */
  readonly people: Map<string, Promise<User>>;
  readonly sandbox: Sandbox;
  /** Of the scenario's order, top-up or withdrawal. */
  readonly amount: string;
  /** Receives each step as it is done. */
  report(step: string): void;
}

/** The result of a scenario. */
export interface ScenarioResult {
  readonly id: string;
  readonly status: string;
}

export interface Scenario {
  readonly summary: string;
  /** The amount when the command names none. */
  readonly amount: string;
  run(context: ScenarioContext): Promise<ScenarioResult>;
}

/** Scenarios that end with a record of one kind; `endText` reports its status. */
export function scenariosOf<T extends ScenarioResult>(
  amount: string,
  endText: (record: T) => string,
) {
  return (summary: string, act: (context: ScenarioContext) => Promise<T>): Scenario => ({
    summary,
    amount,
    run: async (context) => {
      const record = await act(context);
      context.report(endText(record));
      return { id: record.id, status: record.status };
    },
  });
}
