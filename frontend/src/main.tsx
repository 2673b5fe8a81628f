import '@/lib/csp'
import '@/styles/tokens.css'
import '@/styles/base.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router-dom'
import { setCallGate } from '@/api/transport'
import { oldMallFirst } from '@/app/globalQuery'
import { makeQueryClient } from '@/app/queryClient'
import { makeRouter } from '@/app/router'
import { watchCatalogue } from '@/domain/catalog/categories'
import { session } from '@/lib/session'

const client = makeQueryClient()
watchCatalogue(client)

// Clear all data when the person changes.
let uid = session.get()?.User.uid
session.subscribe(() => {
  const now = session.get()?.User.uid
  if (now !== uid) client.clear()
  uid = now
})

setCallGate(oldMallFirst)

const router = makeRouter(client)
// After a sign-out in another tab, run the route's guard again, so that protected screens are left.
session.onEndedElsewhere(() => void router.revalidate())

const root = document.getElementById('root')
if (root) {
  createRoot(root).render(
    <QueryClientProvider client={client}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
}
