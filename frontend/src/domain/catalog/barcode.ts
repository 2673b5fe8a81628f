/** Barcodes of products: 8, 12, 13 or 14 digits, of which the last one is the check digit. */

interface Detected {
  rawValue: string
}
interface Detector {
  detect: (source: CanvasImageSource) => Promise<Detected[]>
}
interface DetectorClass {
  new (options: { formats: string[] }): Detector
  getSupportedFormats: () => Promise<string[]>
}
declare global {
  interface Window {
    BarcodeDetector?: DetectorClass
  }
}

const FORMATS = ['ean_13', 'ean_8', 'upc_a', 'itf']

const LENGTHS = new Set([8, 12, 13, 14])

/** GS1: weights 3 and 1 from the right of the digits before the check digit. */
function checkDigit(digits: string): string {
  const total = Array.from(digits)
    .toReversed()
    .reduce((sum, digit, place) => sum + Number(digit) * (place % 2 ? 1 : 3), 0)
  return String((10 - (total % 10)) % 10)
}

/** The problem of a typed or scanned barcode; empty if there is none. */
export function barcodeProblem(text: string): string {
  if (!/^[0-9]+$/.test(text) || !LENGTHS.has(text.length)) return '条码为 8、12、13 或 14 位数字'
  if (text.at(-1) !== checkDigit(text.slice(0, -1))) return '条码的校验位不对，请核对是否输错'
  return ''
}

/** The detector of this browser, or null: only some browsers have one, and not for each format. */
export async function barcodeDetector(): Promise<Detector | null> {
  const Native = window.BarcodeDetector
  if (!Native) return null
  const supported = await Native.getSupportedFormats()
  const formats = FORMATS.filter((format) => supported.includes(format))
  return formats.length ? new Native({ formats }) : null
}
