//! Tells the story of anything that has a name.
import { type Prefix, readId } from '@holdfast/kernel/ids';
import type { Holdfast } from '@holdfast/sdk';
import { exceptionStory, keyStory, runStory } from './operator-stories.ts';
import { disputeStory, orderStory } from './order-story.ts';
import { eventStory, operationStory, userStory, webhookEndpointStory } from './other-stories.ts';
import { topupStory, withdrawalStory } from './payment-story.ts';
import { search } from './search.ts';
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
export async function explain(
  holdfast: Holdfast,
  name: string,
  tell: (where: string) => void,
): Promise<Story> {
  const [prefix = ''] = name.split('_');
  const story = Object.hasOwn(STORIES, prefix) ? STORIES[prefix] : undefined;
  if (story !== undefined && readId(prefix as Prefix, name) !== undefined)
    return story(holdfast, name);
  return explain(holdfast, await search(holdfast, name, tell), tell);
}
