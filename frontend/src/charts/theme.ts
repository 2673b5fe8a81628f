/**
 * The tokens of tokens.css as a chart theme. The colours are distinguishable with red-green colour
 * blindness.
 */
export const INK_2 = '#4e5969'
export const LINE = '#e5e6eb'
export const COLOURS = [
  '#1456d9',
  '#14a0a0',
  '#e8890c',
  '#7a4fd0',
  '#c02029',
  '#5b8c1a',
  '#3aa0e8',
  '#b0568f',
  '#8a6d3b',
  '#5f6b7a',
  '#2f7d5b',
]
export const PALE = '#b9c7dd'
export const FONT = '"PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", system-ui, sans-serif'
