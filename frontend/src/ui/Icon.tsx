/** One hand-drawn set: 20 px, 1.5 px strokes, round ends. */
const DRAWINGS = {
  search: 'M9 15.5a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13ZM13.8 13.8 17.5 17.5',
  camera:
    'M3.5 6h2.6l1.2-2h5.4l1.2 2h2.6a1 1 0 0 1 1 1v8a1 1 0 0 1-1 1h-13a1 1 0 0 1-1-1V7a1 1 0 0 1 1-1ZM10 13.5a2.8 2.8 0 1 0 0-5.6 2.8 2.8 0 0 0 0 5.6Z',
  cart: 'M1.8 3h2.1l2 9.5h8.8l1.8-6.7H4.6M7 16.8a.9.9 0 1 0 0-1.8.9.9 0 0 0 0 1.8ZM13.8 16.8a.9.9 0 1 0 0-1.8.9.9 0 0 0 0 1.8Z',
  heart:
    'M10 16.8S2.8 12.6 2.8 7.4a3.7 3.7 0 0 1 7.2-1.2 3.7 3.7 0 0 1 7.2 1.2c0 5.2-7.2 9.4-7.2 9.4Z',
  user: 'M10 9.5a3.3 3.3 0 1 0 0-6.6 3.3 3.3 0 0 0 0 6.6ZM3.5 17c.5-3.3 3.2-5 6.5-5s6 1.7 6.5 5',
  menu: 'M3 5h14M3 10h14M3 15h14',
  grid: 'M3.5 3.5h5v5h-5zM11.5 3.5h5v5h-5zM3.5 11.5h5v5h-5zM11.5 11.5h5v5h-5z',
  list: 'M7 5h10M7 10h10M7 15h10M3.2 5h.1M3.2 10h.1M3.2 15h.1',
  close: 'M5 5l10 10M15 5 5 15',
  check: 'M4 10.5l4 4 8-9',
  plus: 'M10 4v12M4 10h12',
  minus: 'M4 10h12',
  up: 'M5 12.5l5-5 5 5',
  down: 'M5 7.5l5 5 5-5',
  left: 'M12.5 5l-5 5 5 5',
  right: 'M7.5 5l5 5-5 5',
  top: 'M4 3.5h12M10 17V7M5.5 11 10 6.5l4.5 4.5',
  chat: 'M3.5 4h13a1 1 0 0 1 1 1v8.5a1 1 0 0 1-1 1H9l-3.8 3v-3H3.5a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1ZM6.5 8h7M6.5 11h4.5',
  spark:
    'M9 3l1.6 4.4L15 9l-4.4 1.6L9 15l-1.6-4.4L3 9l4.4-1.6ZM15.5 13l.7 1.8 1.8.7-1.8.7-.7 1.8-.7-1.8-1.8-.7 1.8-.7Z',
  phone: 'M6 2.5h8a1 1 0 0 1 1 1v13a1 1 0 0 1-1 1H6a1 1 0 0 1-1-1v-13a1 1 0 0 1 1-1ZM9 15h2',
  clock: 'M10 17.5a7.5 7.5 0 1 0 0-15 7.5 7.5 0 0 0 0 15ZM10 5.8V10l3 2',
  box: 'M10 2.5l7 3.6v7.8l-7 3.6-7-3.6V6.1ZM3 6.1l7 3.6 7-3.6M10 9.7v7.8',
  truck:
    'M2 5h9.5v8.5H2zM11.5 8h3.4l2.6 2.8v2.7h-6M5.5 16a1.6 1.6 0 1 0 0-3.2 1.6 1.6 0 0 0 0 3.2ZM14 16a1.6 1.6 0 1 0 0-3.2 1.6 1.6 0 0 0 0 3.2Z',
  order:
    'M5 2.5h10a1 1 0 0 1 1 1v14l-2.4-1.4L11.2 17.5 10 16.6l-1.2.9-2.4-1.4L4 17.5v-14a1 1 0 0 1 1-1ZM7 7h6M7 10.5h6',
  approve: 'M10 2.5l6.5 2.4v4.6c0 4-2.7 6.6-6.5 8-3.8-1.4-6.5-4-6.5-8V4.9ZM7 9.8l2.2 2.2L13.2 8',
  wallet: 'M3 5.5h12.5a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1ZM3 5.5 13 3v2.5M13.2 11h.1',
  invoice: 'M4.5 2.5h8l3 3v12h-11ZM12.5 2.5v3h3M7.5 9l2.5 2.5L12.5 9M10 11.5v3.5M8 13h4',
  chart: 'M3 3v14h14M6.5 13.5v-3M10 13.5v-6.5M13.5 13.5V9',
  warn: 'M10 3l7.5 13.5h-15ZM10 8v4M10 14.3h.1',
  info: 'M10 17.5a7.5 7.5 0 1 0 0-15 7.5 7.5 0 0 0 0 15ZM10 9v5M10 6.2h.1',
  trash: 'M3.5 5.5h13M8 5.5V3.5h4v2M5 5.5l.8 11.5h8.4L15 5.5M8.5 8.5v5.5M11.5 8.5v5.5',
  edit: 'M3.5 16.5l.8-3.6L13.4 3.8l2.8 2.8-9.1 9.1ZM11.5 5.7l2.8 2.8',
  filter: 'M3 4h14l-5.5 6.5V16l-3-1.5v-4Z',
  eye: 'M2 10s3-5.5 8-5.5S18 10 18 10s-3 5.5-8 5.5S2 10 2 10ZM10 12.3a2.3 2.3 0 1 0 0-4.6 2.3 2.3 0 0 0 0 4.6Z',
  lock: 'M4.5 9h11v8h-11ZM7 9V6.5a3 3 0 0 1 6 0V9M10 12v2',
  home: 'M3 9.2 10 3l7 6.2V17h-4.8v-4.5H7.8V17H3Z',
  swap: 'M3 7h13l-3-3M17 13H4l3 3',
  paper: 'M5 2.5h7l3 3v12H5ZM12 2.5v3h3M7.5 9.5h5M7.5 12.5h5',
  printer: 'M6 7V3h8v4M4 7h12a1 1 0 0 1 1 1v6h-3v3H6v-3H3V8a1 1 0 0 1 1-1ZM6 12h8',
  desk: 'M2.5 7h15M4 7v10M16 7v10M10 7v5h6M12 9.5h2',
  cup: 'M4 5h10v7a4 4 0 0 1-4 4H8a4 4 0 0 1-4-4ZM14 7h1.5a2 2 0 0 1 0 4.5H14',
  laptop: 'M4 4h12v9H4ZM2 16h16',
  tool: 'M12.5 3a4.3 4.3 0 0 0-3.8 6L3 14.7 5.3 17l5.7-5.7a4.3 4.3 0 0 0 6-3.8l-2.8 1.2-2.5-2.5Z',
  gift: 'M3 7h14v3H3ZM4.5 10v7h11v-7M10 7v10M10 7S9 3 7 3a1.8 1.8 0 0 0 0 4ZM10 7s1-4 3-4a1.8 1.8 0 0 1 0 4Z',
  shield: 'M10 2.5l6.5 2.4v4.6c0 4-2.7 6.6-6.5 8-3.8-1.4-6.5-4-6.5-8V4.9Z',
  clean: 'M12 2.5 9.5 9M6 9h7l1.5 8h-10ZM7.5 13v4M11 13v4',
  pause: 'M7 4.5v11M13 4.5v11',
  play: 'M6.5 4v12l9-6Z',
  folder: 'M2.5 4.5h5l2 2h8v10h-15Z',
  horn: 'M3 8v4h2.5l6.5 4V4L5.5 8ZM15 7.5a3.5 3.5 0 0 1 0 5',
  leave: 'M8 4H4.5v12H16v-3.5M11 3.5h5.5V9M16 4l-7 7',
  tag: 'M3 3h6.5l7.5 7.5-6.5 6.5L3 9.5ZM6.5 6.5h.1',
} as const

export type IconName = keyof typeof DRAWINGS

/** Decorative by default. Set `label` when there is no text beside it. */
export function Icon({
  name,
  size = 20,
  label,
  className,
}: {
  name: IconName
  size?: number
  label?: string
  className?: string | undefined
}) {
  const spoken = label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': true }
  return (
    <svg
      {...spoken}
      className={className}
      width={size}
      height={size}
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      focusable="false"
    >
      <path d={DRAWINGS[name]} />
    </svg>
  )
}

const CATEGORY_ICONS: readonly IconName[] = [
  'edit',
  'paper',
  'printer',
  'desk',
  'laptop',
  'home',
  'cup',
  'clean',
  'shield',
  'gift',
  'folder',
  'tool',
  'spark',
  'box',
  'heart',
]

/** The picture of a group of the category menu: 15 of them, then from the first again. */
export const categoryIcon = (index: number): IconName =>
  CATEGORY_ICONS[index % CATEGORY_ICONS.length] ?? 'box'
