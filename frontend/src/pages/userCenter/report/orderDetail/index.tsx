import { ReportScreen } from '@/domain/reports/ReportScreen'
import { reportLoader } from '@/domain/reports/loader'

export const loader = reportLoader('OrderDetail')

export const Component = () => <ReportScreen key="OrderDetail" name="OrderDetail" />
