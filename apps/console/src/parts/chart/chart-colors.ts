//! The colours of the lines of a chart, which differ in lightness as well as in hue.

const CHART_COLORS = {
  light: ['#0b5c55', '#a15c00', '#5b3fa8', '#9c1f3d'],
  dark: ['#7fd6ca', '#f2bd62', '#b9a3f5', '#ff9db4'],
} as const;

export function chartColor(scheme: 'light' | 'dark', index: number): string {
  const colors = CHART_COLORS[scheme];
  return colors[index % colors.length] ?? colors[0];
}
