//! The documentation site: docs/ rendered by Starlight, with its own search, for /docs.
import starlight from '@astrojs/starlight';
import { defineConfig } from 'astro/config';
import { extraFiles } from './src/extra-files.ts';
import { BASE } from './src/links.ts';
import { sidebar } from './src/sidebar.ts';

export default defineConfig({
  base: BASE,
  trailingSlash: 'always',
  outDir: './dist',
  // No other host is called: not by the build, and not by a reader's browser.
  image: { service: { entrypoint: 'astro/assets/services/noop' } },
  // Pages are rendered from a folder of their own, where another version of it may be found.
  vite: { environments: { prerender: { resolve: { noExternal: ['cookie'] } } } },
  integrations: [
    starlight({
      title: 'Holdfast',
      description: 'Escrow and balances for marketplaces',
      customCss: ['./src/styles/site.css'],
      sidebar,
      pagination: false,
      // A command is no window: only what is a file has a frame, with its name.
      expressiveCode: { defaultProps: { overridesByLang: { sh: { frame: 'none' } } } },
      credits: false,
    }),
    extraFiles(),
  ],
});
