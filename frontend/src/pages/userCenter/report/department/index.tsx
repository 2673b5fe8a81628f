import { ReportScreen } from '@/domain/reports/ReportScreen'
import { reportLoader } from '@/domain/reports/loader'

export const loader = reportLoader('Department')

export const Component = () => <ReportScreen key="Department" name="Department" />
