//! Every story that `holdfast trigger` can play.
import { disputeStories } from './dispute-stories.ts';
import { orderStories } from './order-stories.ts';
import type { Scenario } from './stage.ts';
import { topupStories } from './topup-stories.ts';
import { withdrawalStories } from './withdrawal-stories.ts';

export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  ...orderStories,
  ...disputeStories,
  ...topupStories,
  ...withdrawalStories,
};
