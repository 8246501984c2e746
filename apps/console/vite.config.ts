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
  // The service compares Origin with Host: the proxy leaves both as the browser sent them.
  server: { proxy: { '/api': { target: 'http://127.0.0.1:4400', changeOrigin: false } } },
});
