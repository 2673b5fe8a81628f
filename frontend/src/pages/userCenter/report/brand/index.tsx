import { ReportScreen } from '@/domain/reports/ReportScreen'
import { reportLoader } from '@/domain/reports/loader'

export const loader = reportLoader('Brand')

export const Component = () => <ReportScreen key="Brand" name="Brand" />
