import type { ThemeConfig } from 'antd'

/** The tokens of tokens.css as an antd theme. */
export const antdTheme: ThemeConfig = {
  token: {
    colorPrimary: '#1456d9',
    colorPrimaryHover: '#0f45b0',
    colorLink: '#1456d9',
    colorSuccess: '#0a7a3d',
    colorWarning: '#a15c00',
    colorError: '#c02029',
    colorText: '#1d2129',
    colorTextSecondary: '#4e5969',
    colorTextTertiary: '#646f7d',
    // Dark enough on the grey of a disabled field too.
    colorTextPlaceholder: '#5c6673',
    colorBorder: '#c9cdd4',
    colorBorderSecondary: '#e5e6eb',
    colorBgLayout: '#f5f6f8',
    borderRadius: 4,
    // A finger needs 44 px.
    controlHeight: globalThis.matchMedia?.('(max-width: 700px)').matches ? 44 : 32,
    borderRadiusLG: 8,
    fontSize: 14,
    fontFamily: '"PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", system-ui, sans-serif',
    // A dropdown that opens in a moving dialog is placed wrongly. Reduced motion also turns motion
    // off.
    motion: !globalThis.matchMedia?.('(prefers-reduced-motion: reduce)').matches,
    motionDurationMid: '0.16s',
    motionDurationSlow: '0.2s',
  },
  components: {
    Table: { headerBg: '#f7f8fa', cellPaddingBlock: 12 },
    Switch: { colorTextQuaternary: '#646f7d', colorTextTertiary: '#4e5969' },
  },
}
