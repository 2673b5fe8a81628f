import { ReportScreen } from '@/domain/reports/ReportScreen'
import { reportLoader } from '@/domain/reports/loader'

export const loader = reportLoader('Product')

export const Component = () => <ReportScreen key="Product" name="Product" />
