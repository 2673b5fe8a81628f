import { useEffect, useMemo, useRef, useState } from 'react'
import type { QuickOrder } from '@/api/schema'
import { toast } from '@/ui/toast'
import { quickList, useRecognise } from './api'
import type { Filled } from './Bar'
import { draftLines, keepDraft, keptDraft } from './draft'
import { emptyRows, textOf, type GridRow } from './Grid'
import { appended, totalsOf, without, type Line } from './model'

const PAUSE = 400

/** All that the screen holds; what is unfinished outlives a reload. */
export function useQuickOrder(uid: string) {
  const [draft] = useState(() => keptDraft(uid))
  const [rows, setRows] = useState<GridRow[]>(() => (draft?.rows.length ? [...draft.rows] : emptyRows()))
  const [pasted, setPasted] = useState(draft?.pasted ?? '')
  const [lines, setLines] = useState<Line[]>([])
  const [filled, setFilled] = useState<Filled | null>(null)
  const [restoring, setRestoring] = useState(Boolean(draft?.lines.length))
  const recognise = useRecognise()
  const totals = useMemo(() => totalsOf(lines), [lines])

  const take = (answer: QuickOrder): void => {
    setFilled(null)
    setLines((before) => appended(before, answer))
  }
  const read = (Text: string, onRead: () => void): void => {
    if (!Text.trim()) return
    recognise.mutate({ Text }, {
      onSuccess: (answer) => {
        take(answer)
        onRead()
      },
    })
  }
  const ask = async (asked: readonly { Code: string; Quantity: number | null }[]): Promise<void> => {
    if (asked.length) take(await recognise.mutateAsync({ Lines: [...asked] }))
  }

  // Once, whatever the strictness of the development's double mounting.
  const restored = useRef(false)
  useEffect(() => {
    if (restored.current || !draft?.lines.length) return
    restored.current = true
    ask(draft.lines)
      .then(() => toast.info(`已恢复上次未完成的 ${draft.lines.length} 行，价格和库存已更新`))
      .catch(() => undefined)
      .finally(() => setRestoring(false))
  })
  useEffect(() => {
    // Until what was kept is back, it is not written over.
    if (restoring) return
    const timer = setTimeout(() => keepDraft(uid, { rows, pasted, lines: draftLines(lines) }), PAUSE)
    return () => clearTimeout(timer)
  }, [uid, rows, pasted, lines, restoring])

  return {
    rows, setRows, pasted, setPasted, lines, setLines, totals, take, filled, restoring,
    busy: recognise.isPending,
    error: recognise.error,
    readRows: () => read(textOf(rows), () => setRows(emptyRows())),
    readPasted: () => read(pasted, () => setPasted('')),
    readText: (text: string) => read(text, () => undefined),
    useList: (id: string) => void quickList(id).then(({ Items }) => ask(Items.map(({ ProductCode, Quantity }) => ({ Code: ProductCode, Quantity })))).catch(() => undefined),
    onFilled: (given: Filled) => {
      setFilled(given)
      setLines((before) => {
        const gone = new Set(before.filter(({ Status, Product }) => Status === 'ready' && Product && !given.leftOut.has(Product.ProductCode)).map(({ id }) => id))
        return without(before, gone).map((line) => {
          const why = line.Status === 'ready' && line.Product ? given.leftOut.get(line.Product.ProductCode) : undefined
          return why ? { ...line, notices: [...new Set([...line.notices, why])] } : line
        })
      })
    },
  }
}
