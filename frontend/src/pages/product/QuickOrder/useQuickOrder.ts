import { useEffect, useMemo, useRef, useState } from 'react'
import type { QuickOrder } from '@/api/schema'
import { toast } from '@/ui/toast'
import { quickList, useRecognise } from './api'
import type { Filled } from './Bar'
import {
  listRequestLines,
  listDraftLines,
  saveDraft,
  readDraft,
  restoreLines,
  type DraftLine,
} from './draft'
import { emptyRows, getText, type GridRow } from './Grid'
import { appendAnswer, appendLines, totalsOf, without, type Line } from './model'

const PAUSE = 400

/** The state of the screen. Unfinished work survives a reload. */
export function useQuickOrder(uid: string) {
  const [draft] = useState(() => readDraft(uid))
  const [rows, setRows] = useState<GridRow[]>(() =>
    draft?.rows.length ? [...draft.rows] : emptyRows(),
  )
  const [pasted, setPasted] = useState(draft?.pasted ?? '')
  const [lines, setLines] = useState<Line[]>([])
  const [filled, setFilled] = useState<Filled | null>(null)
  const [isRestoring, setRestoring] = useState(
    () => listRequestLines(draft?.lines ?? []).length > 0,
  )
  const recognise = useRecognise()
  const totals = useMemo(() => totalsOf(lines), [lines])

  const take = (answer: QuickOrder): void => {
    setFilled(null)
    setLines((before) => appendAnswer(before, answer))
  }
  const read = (Text: string, onRead: () => void): void => {
    if (!Text.trim()) return
    recognise.mutate(
      { Text },
      {
        onSuccess: (answer) => {
          take(answer)
          onRead()
        },
      },
    )
  }
  const orderItems = async (
    items: readonly { ProductCode: string; Quantity: number }[],
  ): Promise<void> => {
    if (items.length)
      take(
        await recognise.mutateAsync({
          Lines: items.map(({ ProductCode, Quantity }) => ({ Code: ProductCode, Quantity })),
        }),
      )
  }
  const restore = async (kept: readonly DraftLine[]): Promise<void> => {
    const Lines = listRequestLines(kept)
    const answer = await recognise.mutateAsync({ Lines })
    setLines((before) => appendLines(before, restoreLines(kept, answer)))
    toast.info(`已恢复上次未完成的 ${Lines.length} 行，价格和库存已更新`)
  }

  // Runs once, although React StrictMode mounts twice in development.
  const isAsked = useRef(false)
  useEffect(() => {
    if (isAsked.current || !draft || !isRestoring) return
    isAsked.current = true
    restore(draft.lines)
      .catch(() => undefined)
      .finally(() => setRestoring(false))
  })
  useEffect(() => {
    // The saved state is not overwritten before it is restored.
    if (isRestoring) return
    const save = (): void => saveDraft(uid, { rows, pasted, lines: listDraftLines(lines) })
    const timer = setTimeout(save, PAUSE)
    // A reload within the pause loses nothing.
    globalThis.addEventListener('pagehide', save)
    return () => {
      clearTimeout(timer)
      globalThis.removeEventListener('pagehide', save)
    }
  }, [uid, rows, pasted, lines, isRestoring])

  return {
    rows,
    setRows,
    pasted,
    setPasted,
    lines,
    setLines,
    totals,
    take,
    filled,
    isRestoring,
    busy: recognise.isPending,
    error: recognise.error,
    readRows: () => read(getText(rows), () => setRows(emptyRows())),
    readPasted: () => read(pasted, () => setPasted('')),
    readText: (text: string) => read(text, () => undefined),
    useList: (id: string) =>
      void quickList(id)
        .then(({ Items }) => orderItems(Items))
        .catch(() => undefined),
    onFilled: (given: Filled) => {
      setFilled(given)
      setLines((before) => {
        const gone = new Set(
          before
            .filter(
              ({ Status, Product }) =>
                Status === 'ready' && Product && !given.leftOut.has(Product.ProductCode),
            )
            .map(({ id }) => id),
        )
        return without(before, gone).map((line) => {
          const why =
            line.Status === 'ready' && line.Product
              ? given.leftOut.get(line.Product.ProductCode)
              : undefined
          return why ? { ...line, notices: [...new Set([...line.notices, why])] } : line
        })
      })
    },
  }
}
