import { Button } from 'antd'
import { useState } from 'react'
import { download } from '@/api/download'
import { Icon } from '@/ui/Icon'

/** Downloads what the list shows; the file's name comes from the server. */
export function ExportButton({ url, body, label = '导出' }: { url: string; body?: unknown; label?: string }) {
  const [running, setRunning] = useState(false)
  const run = async (): Promise<void> => {
    setRunning(true)
    try {
      await download(url, body)
    } catch {
      // download() has said why.
    } finally {
      setRunning(false)
    }
  }
  return (
    <Button loading={running} icon={<Icon name="down" size={16} />} onClick={() => void run()}>
      {label}
    </Button>
  )
}
