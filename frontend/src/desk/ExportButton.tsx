import { Button } from 'antd'
import { useState } from 'react'
import { download } from '@/api/download'

interface ExportButtonProps {
  url: string
  body?: unknown
  method?: 'GET' | 'POST'
  /** What it takes along, where that is not all that the list shows. */
  label?: string
}

/** 导出: downloads what the list shows; the file's name comes from the server. */
export function ExportButton({ url, body, method = 'POST', label = '导出' }: ExportButtonProps) {
  const [running, setRunning] = useState(false)
  const run = async (): Promise<void> => {
    setRunning(true)
    try {
      await download(url, body, { method })
    } catch {
      // download() has said why.
    } finally {
      setRunning(false)
    }
  }
  return (
    <Button loading={running} onClick={() => void run()}>
      {label}
    </Button>
  )
}
