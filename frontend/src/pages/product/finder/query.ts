import { queryOptions } from '@tanstack/react-query'
import { call, type Answer } from '@/api/call'
import { read, write } from '@/lib/storage'

export type Brand = Answer<'/api/Device/Brands'>[number]
export type Device = Answer<'/api/Device'>[number]
export type DeviceProducts = Answer<'/api/Device/{DeviceId}/Products'>
export type FittingRow = DeviceProducts['Items'][number]

export interface FinderState {
  BrandId?: string | undefined
  DeviceId?: string | undefined
  Key?: string | undefined
}

const id = (text: string | null): string | undefined =>
  /^[0-9]{1,18}$/.test(text ?? '') ? (text ?? undefined) : undefined

export const readState = (params: URLSearchParams): FinderState => ({
  BrandId: id(params.get('BrandId')),
  DeviceId: id(params.get('DeviceId')),
  Key: params.get('Key')?.slice(0, 60) || undefined,
})

export const brands = queryOptions({
  queryKey: ['deviceBrands'],
  staleTime: 10 * 60_000,
  queryFn: ({ signal }) => call('get', '/api/Device/Brands', { signal, quiet: true }),
})

/** The devices of a brand, or of all brands if a model was typed. */
export const devices = ({ BrandId, Key }: FinderState) =>
  queryOptions({
    queryKey: ['devices', BrandId, Key],
    enabled: Boolean(BrandId ?? Key),
    queryFn: ({ signal }) =>
      call('get', '/api/Device', {
        query: { ...(BrandId && { BrandId }), ...(Key && { Key }) },
        signal,
        quiet: true,
      }),
  })

export const deviceProducts = (deviceId: string) =>
  queryOptions({
    queryKey: ['deviceProducts', deviceId],
    enabled: Boolean(deviceId),
    queryFn: ({ signal }) =>
      call('get', '/api/Device/{DeviceId}/Products', {
        path: { DeviceId: Number(deviceId) },
        signal,
        quiet: true,
      }),
  })

/** The devices that a person looked at last in this browser, the newest first. */
export interface RecentDevice {
  DeviceId: string
  BrandId: string
  Label: string
}

const MAX_RECENT = 6
const getKey = (uid: string | undefined) => `RecentDevices:${uid ?? ''}`

export const readRecent = (uid: string | undefined): RecentDevice[] => {
  const rows = read<unknown>('local', getKey(uid))
  return Array.isArray(rows) ? (rows as RecentDevice[]).slice(0, MAX_RECENT) : []
}

export function rememberDevice(uid: string | undefined, device: Device): void {
  const row = {
    DeviceId: device.DeviceId,
    BrandId: device.BrandId,
    Label: `${device.Brand} ${device.Model}`,
  }
  const others = readRecent(uid).filter(({ DeviceId }) => DeviceId !== row.DeviceId)
  write('local', getKey(uid), [row, ...others].slice(0, MAX_RECENT))
}

/** The rows by category, in the order of the rows. */
export function byCategory(rows: readonly FittingRow[]): { name: string; rows: FittingRow[] }[] {
  const groups = new Map<string, { name: string; rows: FittingRow[] }>()
  for (const row of rows) {
    const group = groups.get(row.CategoryId) ?? { name: row.CategoryName, rows: [] }
    group.rows.push(row)
    groups.set(row.CategoryId, group)
  }
  return [...groups.values()]
}
