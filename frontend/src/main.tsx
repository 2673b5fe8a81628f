import '@/lib/csp'
import '@/styles/tokens.css'
import '@/styles/base.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router-dom'
import { holdCalls } from '@/api/transport'
import { oldMallFirst } from '@/app/globalQuery'
import { makeQueryClient } from '@/app/queryClient'
import { makeRouter } from '@/app/router'
import { watchCatalogue } from '@/domain/catalog/categories'
import { session } from '@/lib/session'

const client = makeQueryClient()
watchCatalogue(client)

// Nothing of one person is ever shown to the next.
let uid = session.get()?.User.uid
session.subscribe(() => {
  const now = session.get()?.User.uid
  if (now !== uid) client.clear()
  uid = now
})

holdCalls(oldMallFirst)

const router = makeRouter(client)
// What needs login is left in every tab when one signs out: its guard is asked again.
session.onEndedElsewhere(() => void router.revalidate())

const root = document.getElementById('root')
if (root) {
  createRoot(root).render(
    <QueryClientProvider client={client}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
}
