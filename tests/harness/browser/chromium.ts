//! A headless Chromium, for tests that use a page as people do.
import { type Browser, chromium } from 'playwright-core';
import { findChromium } from '../../../tools/installed.ts';

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export async function openChromium(): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error('Chromium is not installed');
  return chromium.launch({ executablePath, args: FLAGS });
}
