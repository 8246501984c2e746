//! Every scenario that `holdfast trigger` can run.
import { disputeScenarios } from './dispute-scenarios.ts';
import { orderScenarios } from './order-scenarios.ts';
import type { Scenario } from './scenario.ts';
import { topupScenarios } from './topup-scenarios.ts';
import { withdrawalScenarios } from './withdrawal-scenarios.ts';

export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  ...orderScenarios,
  ...disputeScenarios,
  ...topupScenarios,
  ...withdrawalScenarios,
};
