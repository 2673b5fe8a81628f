import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call, type Answer, type Body, type Query } from '@/api/call'

export type Address = Answer<'/api/Address'>['Items'][number]
export type AddressBody = Body<'/api/Address'>
export type AddressQuery = Query<'/api/Address'>

/** The addresses visible to this person, the default one first. */
export const addresses = (uid: string) =>
  queryOptions({
    queryKey: ['addresses', uid],
    queryFn: ({ signal }) =>
      call('get', '/api/Address', { query: { PageSize: 100 }, signal, quiet: true }),
  })

/** The addresses allowed for an order, and for this department if given. */
export const orderAddresses = (uid: string, OrderDepartmentId = '') =>
  queryOptions({
    queryKey: ['addresses', uid, 'order', OrderDepartmentId],
    queryFn: ({ signal }) =>
      call('get', '/api/Address', {
        query: {
          PageSize: 100,
          Usable: true,
          ...(OrderDepartmentId && { OrderDepartmentId: Number(OrderDepartmentId) }),
        },
        signal,
        quiet: true,
      }),
  })

/**
 * The names of the next level: provinces, cities, districts or streets. Cached until the page is
 * closed.
 */
export const regions = (Province = '', City = '', District = '') =>
  queryOptions({
    queryKey: ['regions', Province, City, District],
    staleTime: Infinity,
    queryFn: ({ signal }) =>
      call('get', '/api/Address/Region', {
        query: { Province, City, District },
        signal,
        quiet: true,
      }),
  })

export const useParseAddress = () =>
  useMutation({
    mutationFn: (Text: string) =>
      call('post', '/api/Address/Parse', { body: { Text }, quiet: true, loading: false }),
  })

/** Create an address, or change it if it has a key. */
export function useSaveAddress(uid: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({
      of,
      body,
    }: {
      of?: Pick<Address, 'Id' | 'UpdatedAt'> | undefined
      body: AddressBody
    }) => {
      const { OwnerType, EnterpriseId, DepartmentId, ...fields } = body
      return of
        ? call('patch', '/api/Address/{Id}', {
            path: { Id: of.Id },
            body: { ...fields, UpdatedAt: of.UpdatedAt },
            quiet: true,
          })
        : call('post', '/api/Address', {
            body: { ...fields, OwnerType, EnterpriseId, DepartmentId },
            quiet: true,
          })
    },
    onSuccess: () => client.invalidateQueries({ queryKey: addresses(uid).queryKey }),
  })
}
