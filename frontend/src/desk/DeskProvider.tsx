import { ConfigProvider } from 'antd'
import zhCN from 'antd/locale/zh_CN'
import dayjs from 'dayjs'
import 'dayjs/locale/zh-cn'
import type { ReactNode } from 'react'
import { nonce } from '@/lib/csp'
import { antdTheme } from '@/styles/antdTheme'

dayjs.locale('zh-cn')

/** antd in our look and language, with the page's nonce for its styles. */
export const DeskProvider = ({ children }: { children: ReactNode }) => (
  <ConfigProvider
    csp={{ nonce }}
    locale={zhCN}
    theme={antdTheme}
    componentSize="medium"
    button={{ autoInsertSpace: false }}
  >
    {children}
  </ConfigProvider>
)

// Also style dialogs outside the tree (Modal.confirm).
ConfigProvider.config({ holderRender: (children) => <DeskProvider>{children}</DeskProvider> })
