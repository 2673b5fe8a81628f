import { ReportScreen } from '@/domain/reports/ReportScreen'
import { reportLoader } from '@/domain/reports/loader'

export const loader = reportLoader('Budget')

export const Component = () => <ReportScreen key="Budget" name="Budget" />
