/**
 * Parse untrusted Markdown: text and the few forms that an answer needs. No HTML, no pictures, no
 * links to other hosts.
 */

export type Inline =
  | { kind: 'text' | 'strong' | 'em' | 'code'; text: string }
  | { kind: 'link'; text: string; to: string }

export type Block =
  | { kind: 'heading'; lines: Inline[][] }
  | { kind: 'paragraph'; lines: Inline[][] }
  | { kind: 'quote'; lines: Inline[][] }
  | { kind: 'list'; ordered: boolean; items: Inline[][] }
  | { kind: 'table'; head: Inline[][]; rows: Inline[][][] }
  | { kind: 'code'; text: string }

// In this order: escaped mark, code, link (a picture becomes its text), strong, emphasis.
const MARK =
  /\\([\\`*_[\]<>|#~!])|`([^`\n]+)`|!?\[([^\]\n]*)\]\(([^)\s]*)\)|\*\*((?:\\.|[^*\n])+)\*\*|\*((?:\\.|[^*\n])+)\*/g
const OWN_SITE_PATH = /^\/(?![/\\])/

const plain = (text: string): string => text.replace(/\\([\\`*_[\]<>|#~!])/g, '$1')

/** Parse the marks within a line. A link to another host becomes its text. */
export function inlines(line: string): Inline[] {
  const parts: Inline[] = []
  const addText = (text: string): void => {
    const last = parts.at(-1)
    if (last?.kind === 'text') last.text += text
    else if (text) parts.push({ kind: 'text', text })
  }
  let at = 0
  for (const match of line.matchAll(MARK)) {
    addText(line.slice(at, match.index))
    at = match.index + match[0].length
    const [, escaped, code, words, to, strong, em] = match
    if (escaped !== undefined) addText(escaped)
    else if (code !== undefined) parts.push({ kind: 'code', text: code })
    else if (strong !== undefined) parts.push({ kind: 'strong', text: plain(strong) })
    else if (em !== undefined) parts.push({ kind: 'em', text: plain(em) })
    else if (
      words !== undefined &&
      to !== undefined &&
      OWN_SITE_PATH.test(to) &&
      !match[0].startsWith('!')
    )
      parts.push({ kind: 'link', text: plain(words), to })
    else addText(plain(words ?? ''))
  }
  addText(line.slice(at))
  return parts
}

const cells = (line: string): Inline[][] =>
  line
    .trim()
    .replace(/^\||\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => inlines(cell.trim()))

const KINDS: readonly [RegExp, (lines: string[]) => Block][] = [
  [
    /^\s*\|.*\|\s*$/,
    (lines) => ({
      kind: 'table',
      head: cells(lines[0] ?? ''),
      rows: lines
        .slice(1)
        .filter((line) => !/^[\s|:-]+$/.test(line))
        .map(cells),
    }),
  ],
  [
    /^\s*[-*+] +/,
    (lines) => ({
      kind: 'list',
      ordered: false,
      items: lines.map((line) => inlines(line.replace(/^\s*[-*+] +/, ''))),
    }),
  ],
  [
    /^\s*\d+[.)] +/,
    (lines) => ({
      kind: 'list',
      ordered: true,
      items: lines.map((line) => inlines(line.replace(/^\s*\d+[.)] +/, ''))),
    }),
  ],
  [
    /^#{1,6} +/,
    (lines) => ({
      kind: 'heading',
      lines: lines.map((line) => inlines(line.replace(/^#+ +/, ''))),
    }),
  ],
  [
    /^> ?/,
    (lines) => ({ kind: 'quote', lines: lines.map((line) => inlines(line.replace(/^> ?/, ''))) }),
  ],
]

const kindOf = (line: string): number => KINDS.findIndex(([sign]) => sign.test(line))

/** Parse the blocks of a text. The start of a line decides its kind. */
export function blocks(text: string): Block[] {
  const parts: Block[] = []
  let gathered: string[] = []
  let kind = -1
  const close = (): void => {
    if (gathered.length)
      parts.push(KINDS[kind]?.[1](gathered) ?? { kind: 'paragraph', lines: gathered.map(inlines) })
    gathered = []
  }
  const [...lines] = text.split('\n')
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? ''
    if (line.startsWith('```')) {
      close()
      const end = lines.findIndex((other, index) => index > at && other.startsWith('```'))
      parts.push({ kind: 'code', text: lines.slice(at + 1, end < 0 ? undefined : end).join('\n') })
      at = end < 0 ? lines.length : end
    } else if (!line.trim()) close()
    else {
      const next = kindOf(line)
      if (next !== kind) close()
      kind = next
      gathered.push(line)
    }
  }
  close()
  return parts
}
