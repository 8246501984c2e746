//! Colours, type and sizes. Every pair of text and ground has a contrast of 4.5 or more.
import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core';

const harbour: MantineColorsTuple = [
  '#e6f5f3',
  '#d0e8e5',
  '#a3d1cb',
  '#72b9b0',
  '#4ba59a',
  '#2f998d',
  '#137d72',
  '#0f6b62',
  '#0b5c55',
  '#034c46',
];
export const theme = createTheme({
  primaryColor: 'harbour',
  primaryShade: { light: 8, dark: 7 },
  colors: { harbour },
  autoContrast: true,
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
  defaultRadius: 6,
  cursorType: 'pointer',
  respectReducedMotion: true,
  headings: { fontWeight: '650' },
  components: {
    // A title in its own colour is too pale on its own ground.
    Alert: { styles: { title: { color: 'var(--mantine-color-text)' } } },
    Card: {
      defaultProps: { radius: 8 },
      styles: { root: { backgroundColor: 'var(--mantine-color-body)' } },
    },
    Drawer: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
    // Its placeholder for the focus is no item, and a menu may hold only items.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    Modal: {
      defaultProps: {
        centered: true,
        overlayProps: { backgroundOpacity: 0.45 },
        closeButtonProps: { 'aria-label': 'Close' },
      },
      styles: { title: { fontWeight: 650 } },
    },
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
    Tooltip: { defaultProps: { withArrow: true, openDelay: 200 } },
  },
});

export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  // Mantine's dimmed text and placeholders fall short of 4.5 on grey ground.
  light: {
    '--mantine-color-dimmed': '#50575e',
    '--mantine-color-placeholder': '#5f666d',
    '--mantine-color-anchor': '#0b5c55',
    '--mantine-color-error': '#b3261e',
    '--hf-ground': '#f5f7f8',
    '--hf-line': '#d9dee2',
    '--hf-mark': '#dff1ee',
    '--hf-buyer': '#5b3fa8',
    '--hf-good': '#0b6b3a',
    '--hf-warn': '#8a5300',
    '--hf-bad': '#b3261e',
  },
  dark: {
    '--mantine-color-dimmed': '#b4bbc2',
    '--mantine-color-placeholder': '#a0a7ae',
    '--mantine-color-anchor': '#7fd6ca',
    '--mantine-color-error': '#ff9d94',
    '--hf-ground': '#16191c',
    '--hf-line': '#3a4046',
    '--hf-mark': '#123c38',
    '--hf-buyer': '#b9a3f5',
    '--hf-good': '#74d99f',
    '--hf-warn': '#f2bd62',
    '--hf-bad': '#ff9d94',
  },
});
