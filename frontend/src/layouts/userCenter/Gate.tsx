import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, type ReactNode } from 'react'
import { useLocation } from 'react-router-dom'
import { mayUse, menuCodes } from '@/domain/account/account'
import { useSession } from '@/lib/session'
import { Skeleton } from '@/ui/States'
import { getCodes } from './menu'

const MissingRight = lazy(() =>
  import(/* webpackChunkName: "missingRight" */ '@/domain/account/MissingRight').then((module) => ({
    default: module.MissingRight,
  })),
)

/**
 * Shows the screen if the user has one of its rights. Otherwise shows a message about the missing
 * right. If the rights cannot be loaded, the screen shows and the server decides.
 */
export function Gate({ children }: { children: ReactNode }) {
  const person = useSession()
  const codes = getCodes(useLocation().pathname)
  const isAsking = codes.length > 0 && person !== null && person.User.utype !== 'GA'
  const { data, isError } = useQuery({ ...menuCodes(person?.User.uid ?? ''), enabled: isAsking })
  if (!isAsking || isError) return children
  if (!data) return <Skeleton height={520} />
  if (codes.some((code) => mayUse(code, person, data))) return children
  return (
    <Suspense fallback={<Skeleton height={520} />}>
      <MissingRight code={codes[0] ?? ''} />
    </Suspense>
  )
}
