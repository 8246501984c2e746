//! The people and the items of the demo.
import type { Item } from './store/items.ts';
import type { Person } from './store/people.ts';

// biome-ignore format: a table is the one thing exempt from the line limit.
export const PEOPLE: readonly Omit<Person, 'userId' | 'available' | 'email'>[] = [
  { id: 'ada', name: 'Ada', role: 'buyer', about: 'Buys for her kitchen. Has $500 to start with.' },
  { id: 'noor', name: 'Noor', role: 'buyer', about: 'Starts with no money and must top up first.' },
  { id: 'bo', name: 'Bo', role: 'seller', about: 'Turns wood and brass into things to keep.' },
  { id: 'cleo', name: 'Cleo', role: 'seller', about: 'Weaves, draws, and takes commissions.' },
  { id: 'sam', name: 'Sam', role: 'support', about: 'Decides when two people disagree.' },
];

/** Balances before the first top-up. Only a development installation credits freely. */
export const WELCOME: Readonly<Record<string, string>> = { ada: '500.00' };

export const ITEMS: readonly Item[] = [
  {
    id: 'stoneware-mug',
    title: 'Stoneware mug',
    about: 'Thrown by hand, glazed in sea green, and happy in a dishwasher. Holds 350 ml.',
    seller: 'bo',
    price: '24.00',
    picture: 'mug.svg',
    milestones: [],
  },
  {
    id: 'oak-board',
    title: 'Oak serving board',
    about: 'One piece of oak, oiled twice. No two have the same grain. 48 × 20 cm.',
    seller: 'bo',
    price: '48.00',
    picture: 'board.svg',
    milestones: [],
  },
  {
    id: 'brass-lamp',
    title: 'Brass desk lamp',
    about: 'Turned and brazed in a small workshop. It ages with you. Bulb included.',
    seller: 'bo',
    price: '120.00',
    picture: 'lamp.svg',
    milestones: [],
  },
  {
    id: 'linen-apron',
    title: 'Linen apron',
    about: 'Heavy washed linen, a pocket for a pencil, straps that never slip.',
    seller: 'cleo',
    price: '36.00',
    picture: 'apron.svg',
    milestones: [],
  },
  {
    id: 'wool-blanket',
    title: 'Wool blanket',
    about: 'Woven on a wide loom from undyed and plant-dyed wool. 140 × 190 cm.',
    seller: 'cleo',
    price: '95.00',
    picture: 'blanket.svg',
    milestones: [],
  },
  {
    id: 'ink-portrait',
    title: 'Your portrait in ink',
    about: 'Send a photograph. Cleo draws a sketch first, then the finished piece on cotton paper.',
    seller: 'cleo',
    price: '200.00',
    picture: 'portrait.svg',
    milestones: [
      { ref: 'sketch', title: 'Sketch', amount: '60.00' },
      { ref: 'final', title: 'Finished portrait', amount: '140.00' },
    ],
  },
];
