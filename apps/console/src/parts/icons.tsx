//! Every icon: strokes on a grid of sixteen, in the colour of the text beside it.

/** What to draw, as SVG path data. */
const STROKES = {
  home: 'M2.5 7.2 8 2.5l5.5 4.7M4 6v7.5h8V6M6.5 13.5V9.5h3v4',
  order: 'M4 2.5h8v11l-2-1.3-2 1.3-2-1.3-2 1.3zM6.2 5.8h3.6M6.2 8.6h3.6',
  dispute: 'M8 2.5v11M5 13.5h6M3 4.5h10M3 4.5l-1.5 4.2h3zM13 4.5l-1.5 4.2h3z',
  approval: 'M8 1.8 13 3.6v4c0 3-2.1 5.4-5 6.6-2.9-1.2-5-3.6-5-6.6v-4zM5.7 8l1.7 1.7 3-3.2',
  users:
    'M6 7.5a2.4 2.4 0 1 0 0-4.8 2.4 2.4 0 0 0 0 4.8zM1.8 13.3c.3-2.3 2-3.8 4.2-3.8s3.9 1.5 4.2 3.8M10.6 3.1a2.3 2.3 0 0 1 0 4.2M12 9.8c1.3.5 2.1 1.8 2.3 3.5',
  operator:
    'M8 7.3a2.6 2.6 0 1 0 0-5.2 2.6 2.6 0 0 0 0 5.2zM3 13.8c.3-2.8 2.3-4.5 5-4.5s4.7 1.7 5 4.5M10.8 13.2l1 1 1.9-2.1',
  topup: 'M8 2.5v7.2M4.8 6.7 8 9.9l3.2-3.2M2.5 10.5v3h11v-3',
  withdrawal: 'M8 10V2.6M4.8 5.6 8 2.4l3.2 3.2M2.5 10.5v3h11v-3',
  operation:
    'M13 6.5A5.3 5.3 0 0 0 3.4 5M3 9.5A5.3 5.3 0 0 0 12.6 11M3.2 2.3V5.2h2.9M12.8 13.7v-2.9H9.9',
  ledger: 'M3.5 2.5h8a1 1 0 0 1 1 1v10h-8a1 1 0 0 1-1-1zM3.5 11.5h9M6 5.3h4M6 7.9h4',
  reconciliation: 'M2.5 5h9.2M9.3 2.6 11.7 5 9.3 7.4M13.5 11H4.3M6.7 8.6 4.3 11l2.4 2.4',
  recovery:
    'M3 4c0-1 2.2-1.8 5-1.8S13 3 13 4s-2.2 1.8-5 1.8S3 5 3 4zM3 4v8c0 1 2.2 1.8 5 1.8s5-.8 5-1.8V4M3 8c0 1 2.2 1.8 5 1.8s5-.8 5-1.8',
  solvency: 'M2.5 13.5h11M3.5 13.5V7M6.5 13.5V7M9.5 13.5V7M12.5 13.5V7M2 6.8 8 2.5l6 4.3z',
  event: 'M1.8 8.5h2.9l1.9-5 2.9 9 1.9-4h2.8',
  webhook:
    'M6.3 4.4a2.4 2.4 0 1 1 3.2 2.3l1.9 3.1M5.6 9.2 7.4 6.4M9.3 11.5H5.9M5.9 11.5a2.3 2.3 0 1 1-1.8-2.3M9.3 11.5a2.3 2.3 0 1 0 1.2-1.9',
  inbox: 'M2.5 9.5 4 3.5h8l1.5 6v3.8h-11zM2.5 9.5h3.2c.2 1.2 1.1 1.9 2.3 1.9s2.1-.7 2.3-1.9h3.2',
  developer: 'M5.3 4.5 1.8 8l3.5 3.5M10.7 4.5 14.2 8l-3.5 3.5M9.2 2.8 6.8 13.2',
  audit: 'M4 2.5h8v11H4zM6 2.5v-1h4v1M6 6.2h4M6 8.7h4M6 11.2h2.4',
  system: 'M2.5 3h11v4h-11zM2.5 9h11v4h-11zM5 5h.01M5 11h.01M8 5h3M8 11h3',
  lab: 'M6.3 2.2v4.2l-3.6 6a.9.9 0 0 0 .8 1.3h9a.9.9 0 0 0 .8-1.3l-3.6-6V2.2M5.2 2.2h5.6M4.6 9.8h6.8',
  search: 'M7 11.8a4.8 4.8 0 1 0 0-9.6 4.8 4.8 0 0 0 0 9.6zM10.6 10.6l3.2 3.2',
  copy: 'M5.5 5.5h7.8v7.8H5.5zM10.5 5.3V2.7H2.7v7.8h2.6',
  check: 'm2.8 8.5 3.4 3.4 7-7.6',
} as const;

export type IconName = keyof typeof STROKES;

interface Props {
  readonly name: IconName;
  readonly size?: number;
}

/** A picture beside words that say the same: hidden from screen readers. */
export function Icon({ name, size = 16 }: Props) {
  return (
    <svg
      viewBox="0 0 16 16"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      strokeWidth={1.4}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={STROKES[name]} />
    </svg>
  );
}
