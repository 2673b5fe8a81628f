import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { barcodeProblem } from './barcode'
import { BarcodeScan } from './BarcodeScan'

afterEach(() => void vi.unstubAllGlobals())

test('a barcode has a length and a check digit', () => {
  expect(barcodeProblem('6901234567892')).toBe('')
  expect(barcodeProblem('96385074')).toBe('')
  expect(barcodeProblem('036000291452')).toBe('')
  expect(barcodeProblem('6901234567893')).toBe('条码的校验位不对，请核对是否输错')
  expect(barcodeProblem('690123')).toBe('条码为 8、12、13 或 14 位数字')
  expect(barcodeProblem('６９０１２３４５６７８９２')).toBe('条码为 8、12、13 或 14 位数字')
})

test('without a detector the number is typed, and a wrong one is not searched for', async () => {
  const onCode = vi.fn<(code: string) => void>()
  render(<BarcodeScan onCode={onCode} />)
  await screen.findByText('此浏览器不能识别条码，请输入条码下方的数字')

  await userEvent.type(screen.getByLabelText('条码'), '6901234567893{Enter}')
  await screen.findByText('条码的校验位不对，请核对是否输错')
  expect(onCode).not.toHaveBeenCalled()

  await userEvent.type(screen.getByLabelText('条码'), '{Backspace}2{Enter}')
  expect(onCode).toHaveBeenCalledWith('6901234567892')
})

/** A camera whose picture holds these codes, one after another. Returns its only track. */
function stubCamera(...codes: string[]) {
  const track = { stop: vi.fn<() => void>() }
  class Detector {
    static getSupportedFormats = () => Promise.resolve(['ean_13', 'qr_code'])
    detect = () => Promise.resolve([{ rawValue: codes.shift() ?? '' }])
  }
  vi.stubGlobal('BarcodeDetector', Detector)
  const getUserMedia = () => Promise.resolve({ getTracks: () => [track] })
  vi.stubGlobal(
    'navigator',
    Object.assign(Object.create(navigator), { mediaDevices: { getUserMedia } }),
  )
  vi.spyOn(HTMLMediaElement.prototype, 'play').mockResolvedValue()
  return track
}

test('the camera reads until a code is valid, and is released when the dialog closes', async () => {
  const onCode = vi.fn<(code: string) => void>()
  const track = stubCamera('6901234567893', '6901234567892')
  const { unmount } = render(<BarcodeScan onCode={onCode} />)

  await waitFor(() => expect(onCode).toHaveBeenCalledExactlyOnceWith('6901234567892'))
  unmount()
  expect(track.stop).toHaveBeenCalledOnce()
})
