//! The documentation site: docs/ rendered by Starlight, with its own search, for /docs.
import starlight from '@astrojs/starlight';
import { defineConfig } from 'astro/config';
import { extraFiles } from './src/extra-files.ts';
import { BASE } from './src/links.ts';
import { sidebar } from './src/sidebar.ts';

const BUNDLED = [/^@astrojs\//, /^astro-expressive-code/];

export default defineConfig({
  base: BASE,
  trailingSlash: 'always',
  // From the root of the repository: styles are named after paths, and the packages are there.
  srcDir: './apps/docs/src',
  publicDir: './apps/docs/public',
  cacheDir: './apps/docs/node_modules/.astro',
  outDir: './apps/docs/dist',
  // No other host is called: not by the build, and not by a reader's browser.
  image: { service: { entrypoint: 'astro/assets/services/noop' } },
  // Pages are rendered from a folder of their own, where another version of `cookie` may be found.
  // The others import what only the build knows, and no manifest at the root names them.
  vite: { environments: { prerender: { resolve: { noExternal: ['cookie', ...BUNDLED] } } } },
  integrations: [
    starlight({
      title: 'Holdfast',
      description: 'Escrow and balances for marketplaces',
      customCss: ['./apps/docs/src/styles/site.css'],
      sidebar,
      pagination: false,
      // A command is no window: only what is a file has a frame, with its name.
      expressiveCode: { defaultProps: { overridesByLang: { sh: { frame: 'none' } } } },
      credits: false,
    }),
    extraFiles(),
  ],
});
