//! Tells the story of anything that has a name.
import { type Prefix, readId } from '@holdfast/kernel/ids';
import type { Holdfast } from '@holdfast/sdk';
import { findNamed } from './find-named.ts';
import { exceptionStory, keyStory, runStory } from './operator-stories.ts';
import { disputeStory, orderStory } from './order-story.ts';
import { eventStory, operationStory, userStory, webhookEndpointStory } from './other-stories.ts';
import { topupStory, withdrawalStory } from './payment-story.ts';
import type { Story } from './story.ts';

type Tell = (holdfast: Holdfast, id: string) => Promise<Story>;

const STORIES: Readonly<Record<string, Tell>> = {
  ord: orderStory,
  dsp: disputeStory,
  topup: topupStory,
  wd: withdrawalStory,
  usr: userStory,
  op: operationStory,
  evt: eventStory,
  whe: webhookEndpointStory,
  rec: runStory,
  exc: exceptionStory,
  key: keyStory,
};

/** An id of ours by its prefix; whatever else by looking for it. */
export async function explain(holdfast: Holdfast, name: string): Promise<Story> {
  const hasStory = (id: string) => storyOf(id) !== undefined;
  const id = hasStory(name) ? name : await findNamed(holdfast, name, hasStory);
  return (storyOf(id) as Tell)(holdfast, id);
}

function storyOf(id: string): Tell | undefined {
  const [prefix = ''] = id.split('_');
  const isOurs = Object.hasOwn(STORIES, prefix) && readId(prefix as Prefix, id) !== undefined;
  return isOurs ? STORIES[prefix] : undefined;
}
