import { ReportScreen } from '@/domain/reports/ReportScreen'
import { reportLoader } from '@/domain/reports/loader'

export const loader = reportLoader('Order')

export const Component = () => <ReportScreen key="Order" name="Order" />
