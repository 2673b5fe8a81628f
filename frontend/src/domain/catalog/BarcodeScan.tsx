import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { Button } from '@/ui/Button'
import { Field, Input } from '@/ui/Field'
import { barcodeDetector, barcodeProblem } from './barcode'
import styles from './BarcodeScan.module.css'

/** Time between two looks at the picture of the camera. */
const LOOK_MS = 200

type Camera = 'starting' | 'running' | 'absent' | 'refused'

const HINTS: Record<Camera, string> = {
  starting: '正在打开摄像头…',
  running: '将条码对准取景框，识别后自动查找',
  absent: '此浏览器不能识别条码，请输入条码下方的数字',
  refused: '无法使用摄像头，请在浏览器中允许，或输入条码下方的数字',
}

/** Read barcodes from the camera until one is valid. Return the state and the video to show. */
function useCamera(onCode: (code: string) => void) {
  const video = useRef<HTMLVideoElement>(null)
  const [camera, setCamera] = useState<Camera>('starting')
  const found = useEffectEvent(onCode)
  useEffect(() => {
    let stream: MediaStream | undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    let isOver = false
    const start = async (): Promise<void> => {
      const detector = await barcodeDetector()
      if (isOver) return
      if (!detector || !('mediaDevices' in navigator)) return setCamera('absent')
      stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } })
      const shown = video.current
      if (isOver || !shown) return stop()
      shown.srcObject = stream
      await shown.play()
      setCamera('running')
      const look = async (): Promise<void> => {
        const codes = await detector.detect(shown).catch(() => [])
        if (isOver) return
        const code = codes.find(({ rawValue }) => !barcodeProblem(rawValue))?.rawValue
        if (code) found(code)
        else timer = setTimeout(() => void look(), LOOK_MS)
      }
      await look()
    }
    const stop = (): void => {
      for (const track of stream?.getTracks() ?? []) track.stop()
    }
    start().catch(() => !isOver && setCamera('refused'))
    return () => {
      isOver = true
      clearTimeout(timer)
      stop()
    }
  }, [])
  return { video, camera }
}

/** 扫描条码: by the camera where the browser reads barcodes, typed otherwise. */
export function BarcodeScan({ onCode }: { onCode: (code: string) => void }) {
  const { video, camera } = useCamera(onCode)
  const [text, setText] = useState('')
  const [problem, setProblem] = useState('')
  const hasPicture = camera === 'starting' || camera === 'running'
  return (
    <form
      className={styles.scan}
      onSubmit={(event) => {
        event.preventDefault()
        const code = text.trim()
        const wrong = barcodeProblem(code)
        setProblem(wrong)
        if (!wrong) onCode(code)
      }}
    >
      {hasPicture && <video ref={video} className={styles.video} muted playsInline />}
      <p role="status">{HINTS[camera]}</p>
      <Field label="条码" error={problem}>
        <Input
          value={text}
          inputMode="numeric"
          maxLength={14}
          placeholder="例如 6901234567892"
          onChange={(event) => setText(event.target.value)}
        />
      </Field>
      <Button type="submit" look="primary">
        查找商品
      </Button>
    </form>
  )
}
