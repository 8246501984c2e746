//! How the console is built: static files below /console, one piece per screen.
import react from '@vitejs/plugin-react';
import { defaultClientConditions, defineConfig } from 'vite';

export default defineConfig({
  base: '/console/',
  plugins: [react()],
  resolve: { conditions: ['@holdfast/source', ...defaultClientConditions] },
  build: {
    target: 'es2023',
    sourcemap: false,
    // Data URLs would need a wider policy than 'self'.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: { proxy: { '/api': 'http://127.0.0.1:4400' } },
});
