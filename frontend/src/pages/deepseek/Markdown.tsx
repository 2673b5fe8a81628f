import { Link } from 'react-router-dom'
import { blocks, type Block, type Inline } from '@/lib/markdown'
import styles from './answer.module.css'

const InlineParts = ({ parts }: { parts: Inline[] }) =>
  parts.map((part, at) => {
    const key = `${at}`
    if (part.kind === 'link')
      return (
        <Link key={key} to={part.to}>
          {part.text}
        </Link>
      )
    if (part.kind === 'strong') return <strong key={key}>{part.text}</strong>
    if (part.kind === 'em') return <em key={key}>{part.text}</em>
    return part.kind === 'code' ? <code key={key}>{part.text}</code> : part.text
  })

const Lines = ({ lines }: { lines: Inline[][] }) =>
  lines.map((parts, at) => (
    <span key={`${at}`} className={styles.line}>
      <InlineParts parts={parts} />
    </span>
  ))

const Table = ({ head, rows }: { head: Inline[][]; rows: Inline[][][] }) => (
  // A scrollable element must be focusable by keyboard.
  <div className={styles.wide} tabIndex={0} role="region" aria-label="表格">
    <table>
      <thead>
        <tr>
          {head.map((parts, at) => (
            <th key={`${at}`} scope="col">
              <InlineParts parts={parts} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, at) => (
          <tr key={`${at}`}>
            {row.map((parts, cell) => (
              <td key={`${cell}`}>
                <InlineParts parts={parts} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

function Piece({ block }: { block: Block }) {
  if (block.kind === 'code') return <pre>{block.text}</pre>
  if (block.kind === 'table') return <Table head={block.head} rows={block.rows} />
  if (block.kind === 'heading')
    return (
      <p className={styles.heading}>
        <Lines lines={block.lines} />
      </p>
    )
  if (block.kind === 'quote')
    return (
      <blockquote>
        <Lines lines={block.lines} />
      </blockquote>
    )
  if (block.kind === 'paragraph')
    return (
      <p>
        <Lines lines={block.lines} />
      </p>
    )
  const items = block.items.map((parts, at) => (
    <li key={`${at}`}>
      <InlineParts parts={parts} />
    </li>
  ))
  return block.ordered ? <ol>{items}</ol> : <ul>{items}</ul>
}

/** Renders the text of an answer as Markdown. */
export default function Markdown({ text }: { text: string }) {
  return blocks(text).map((block, at) => <Piece key={`${at}`} block={block} />)
}
