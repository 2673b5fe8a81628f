import { Button } from 'antd'
import { useState } from 'react'
import { tryDownload } from '@/api/download'

interface ExportButtonProps {
  url: string
  body?: unknown
  method?: 'GET' | 'POST'
  /** The request body; by default the filters of the list. */
  label?: string
}

/** 导出: download the rows of the list. The server names the file. */
export function ExportButton({ url, body, method = 'POST', label = '导出' }: ExportButtonProps) {
  const [isRunning, setRunning] = useState(false)
  const run = async (): Promise<void> => {
    setRunning(true)
    await tryDownload(url, body, { method })
    setRunning(false)
  }
  return (
    <Button loading={isRunning} onClick={() => void run()}>
      {label}
    </Button>
  )
}
