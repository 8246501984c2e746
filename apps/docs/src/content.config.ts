//! The one collection of the site: every page of the repository.

import { docsSchema } from '@astrojs/starlight/schema';
import { defineCollection } from 'astro/content/config';
import { loadPages } from './load-pages.ts';

export const collections = {
  docs: defineCollection({ loader: loadPages(), schema: docsSchema() }),
};
